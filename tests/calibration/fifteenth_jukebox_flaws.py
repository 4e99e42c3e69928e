"""Mistakes in the solution of the jukebox, by file, and the tests of agents who made them."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.task import Replacements

Flaw = Mapping[str, Replacements]

NEWEST_FIRST: Flaw = {"jukebox.go": (("len(w.voters) > len(known.voters)", "len(w.voters) >= len(known.voters)"),)}
"""Among equals the latest wish is next, which older tests notice."""

SMALL_LETTERS: Flaw = {
    "jukebox.go": (
        (
            "\tfor _, title := range j.played {\n\t\tif strings.EqualFold(title, song.Title) {",
            (
                "\tsong.Title = strings.ToLower(song.Title)\n\tfor _, title := range j.played {\n"
                "\t\tif title == song.Title {"
            ),
        ),
        ("if strings.EqualFold(w.song.Title, title) {", "if w.song.Title == strings.ToLower(title) {"),
        ("if strings.EqualFold(j.waiting[i].song.Title, title) {", "if j.waiting[i].song.Title == title {"),
        ("\tw := j.find(title)\n", "\tw := j.find(strings.ToLower(title))\n"),
    )
}
"""Titles lose their capital letters, which older tests notice."""

FIRST_TURN_ONLY: Flaw = {
    "jukebox.go": (
        ('\t"errors"\n', '\t"errors"\n\t"sort"\n'),
        (
            (
                "\tleft := append([]wish(nil), j.waiting...)\n\tordered := make([]wish, 0, len(left))\n"
                "\theard := j.heard\n\tfor len(left) > 0 {\n\t\ti := best(left, heard)\n\t\theard = left[i].guest\n"
                "\t\tordered = append(ordered, left[i])\n\t\tleft = append(left[:i], left[i+1:]...)\n\t}\n"
                "\treturn ordered\n"
            ),
            (
                "\tordered := append([]wish(nil), j.waiting...)\n"
                "\tsort.SliceStable(ordered, func(a, b int) bool {\n"
                "\t\tfirst, second := ordered[a], ordered[b]\n"
                "\t\tif (first.guest == j.heard) != (second.guest == j.heard) {\n"
                "\t\t\treturn second.guest == j.heard\n\t\t}\n"
                "\t\treturn len(first.voters) > len(second.voters)\n\t})\n\treturn ordered\n"
            ),
        ),
    )
}
"""Titles, lists and waiting times only know of the guest who was heard last, not of those to come."""

TWO_SONGS_ARE_ENOUGH: Flaw = {"jukebox.go": (("if len(j.played) > pause {", "if len(j.played) >= pause {"),)}
"""A title may be wished for again one song too early."""

ANYTHING_IN_THE_QUEUE: Flaw = {
    "jukebox.go": (("\tif len(j.waiting) == 0 {\n\t\treturn Song{}, false\n\t}\n", ""),),
}
"""`Next` of an empty jukebox panics, which an older test notices."""

NO_PAUSE: Flaw = {
    "jukebox.go": (
        (
            (
                "\t// ErrTooSoon says that the song was played a short while ago.\n"
                '\tErrTooSoon = errors.New("jukebox: this song was played a short while ago")\n'
            ),
            "",
        ),
        ("// pause is how many other songs are played before one is played again.\nconst pause = 3\n\n", ""),
        (
            (
                "\tfor _, title := range j.played {\n\t\tif strings.EqualFold(title, song.Title) {\n"
                "\t\t\treturn ErrTooSoon\n\t\t}\n\t}\n"
            ),
            "",
        ),
        (
            (
                "\twaiting []wish   // as they were wished for\n"
                "\tplayed  []string // the last titles, the latest at the end\n"
                "\theard   string   // the guest whose wish was played last\n"
            ),
            "\twaiting []wish // as they were wished for\n\theard   string // the guest whose wish was played last\n",
        ),
        (
            (
                "\tj.played = append(j.played, next.song.Title)\n\tif len(j.played) > pause {\n"
                "\t\tj.played = j.played[1:]\n\t}\n"
            ),
            "",
        ),
    )
}
"""There is no pause before a repetition."""

EXAMPLE_IN_TITLES = '\twantTitles(t, box, "Fernando", "Wuthering Heights", "Waterloo", "Heroes")\n'
EXAMPLE_PLAYED = (
    '\tfor _, want := range []string{"Fernando", "Wuthering Heights", "Waterloo", "Heroes"} {\n'
    '\t\tif got, _ := box.Next(); got.Title != want {\n\t\t\tt.Errorf("got %q, want %q", got.Title, want)\n\t\t}\n\t}\n'
)
"""The example of the spec by its titles, and by what is played."""
