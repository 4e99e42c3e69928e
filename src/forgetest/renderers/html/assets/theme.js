// Light, dark, or as the system has it; and the link that skips to the content, since the address is ours.

const THEMES = ["auto", "light", "dark"];

let themed = "auto";

function theme(chosen) {
  themed = THEMES.includes(chosen) ? chosen : "auto";
  if (themed === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = themed;
  byId("theme").textContent = `Theme: ${themed}`;
  try {
    localStorage.setItem("forgetest-theme", themed);
  } catch { /* a page without storage forgets it */ }
}

function remembered() {
  try {
    return localStorage.getItem("forgetest-theme") || "auto";
  } catch {
    return "auto";
  }
}

function prepareTheme() {
  theme(remembered());
  byId("theme").addEventListener("click", () => theme(THEMES[(THEMES.indexOf(themed) + 1) % THEMES.length]));
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("main").focus();
  });
}
