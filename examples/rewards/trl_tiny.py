"""Two steps of TRL's GRPOTrainer on a CPU, with rewards from forgetest.

    pip install forgetest trl
    python trl_tiny.py

The model is random and as small as can be, so it learns nothing; what it writes is judged all the same. Put your own
model and `forgetest.load("your-set.toml")` in its place. Nothing is downloaded.
"""

from __future__ import annotations

import sys
import tempfile

from datasets import Dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer

import forgetest
from forgetest.rewards import Rewarder
from forgetest.rewards.trl import reward_function

TEMPLATE = "{% for message in messages %}{{ message['content'] }}\n{% endfor %}"


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    """A token for each byte."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: number for number, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer)
    fast.add_special_tokens({"eos_token": "<eos>", "pad_token": "<pad>"})
    fast.chat_template = TEMPLATE
    return fast


def main() -> None:
    """Train."""
    rewarder = Rewarder(forgetest.load("python-basics"))
    tokenizer = tiny_tokenizer()
    config = GPT2Config(
        vocab_size=len(tokenizer),
        n_positions=2048,
        n_embd=32,
        n_layer=1,
        n_head=2,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
    )
    with tempfile.TemporaryDirectory() as folder:
        trainer = GRPOTrainer(
            model=GPT2LMHeadModel(config),
            reward_funcs=reward_function(rewarder),
            args=GRPOConfig(
                output_dir=folder,
                per_device_train_batch_size=4,
                num_generations=4,
                max_completion_length=16,
                max_steps=2,
                logging_steps=1,
                use_cpu=True,
                report_to=[],
            ),
            train_dataset=Dataset.from_list(rewarder.rows()),
            processing_class=tokenizer,
        )
        trainer.train()
    rewarder.close()
    rewards = [line["rewards/forgetest/mean"] for line in trainer.state.log_history if "rewards/forgetest/mean" in line]
    unjudged = [line["forgetest/unjudged"] for line in trainer.state.log_history if "forgetest/unjudged" in line]
    sys.stdout.write(f"mean rewards {rewards}, unjudged {unjudged}\n")


if __name__ == "__main__":
    main()
