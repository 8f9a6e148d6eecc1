// One key, one answer: the page that comes next is another one.
(() => {
  "use strict";

  // No one reads a pair in less time: a press this early was meant for the previous one.
  const SETTLE_MS = 300;
  const pair = document.getElementById("qualifying");
  if (!pair) return;
  const form = pair.querySelector("form");

  // "ready" for an answer, "sending" once it is given.
  const is = (state) => pair.dataset.state === state;
  form.addEventListener("submit", (event) => {
    if (!is("ready")) return event.preventDefault();
    pair.dataset.state = "sending";
    event.submitter?.setAttribute("aria-pressed", "true");
  });
  // A page that comes back from the history can be answered again.
  window.addEventListener("pageshow", () => setTimeout(() => (pair.dataset.state = "ready"), SETTLE_MS));

  const singleKeys = document.getElementById("single-keys");
  singleKeys.checked = localStorage.getItem("single-keys") !== "off";
  singleKeys.addEventListener("change", () => localStorage.setItem("single-keys", singleKeys.checked ? "on" : "off"));

  const keyOf = ({ key, code }) => {
    if (key.length === 1 && key > "~") return code.replace(/^(Key|Digit|Numpad)/, "").toLowerCase();
    return key.toLowerCase();
  };
  let unusedKey = ""; // as in work.js
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229 || event.repeat || !singleKeys.checked) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const keys = [keyOf(event), event.code.replace(/^(Digit|Numpad)/, "").toLowerCase()];
    const found = keys.map((key) => document.querySelector(`[data-key="${CSS.escape(key)}"]`)).find(Boolean);
    const isMeant = found && !(unusedKey === "-" && /^\d$/.test(found.dataset.key));
    unusedKey = found ? "" : event.key;
    if (!isMeant) return;
    event.preventDefault();
    found.click();
  });

  form.querySelector("[data-focus]").focus({ preventScroll: true });
})();
