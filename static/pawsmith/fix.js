// Fixing a sentence: what changes is shown while it is written, and what is written outlives mishaps.
// work.js uses it: `show` an item, the `field` to write in, `begin`, `press` a key in the editor.
window.Fix = (() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const work = () => byId("work");
  const editor = () => work().querySelector("details.fix");
  const sheet = () => work().querySelector("[data-focus]");
  const item = () => work().querySelector("[name=item]").value;
  const announce = (words) => (byId("announcer").textContent = words);

  const candidate = () => sheet().querySelector(".sentence").textContent;
  const fixed = () => byId("text").value.replace(/[\t\r\n]+/g, " ").trim().normalize("NFC");
  const NOTHING = /^[\p{Cc}\p{Cf}\p{Z}]*$/u;
  let telling = null;
  const countWords = () => ({
    changed: Words.distance(candidate(), fixed(), sheet().lang),
    before: Words.words(candidate(), sheet().lang).length,
    after: Words.words(fixed(), sheet().lang).length,
  });
  const describe = (counted) => {
    const { same, signs, words } = byId("questions").dataset;
    if (fixed() === candidate()) return same;
    return counted.changed ? words.replace(/\{(\w+)\}/g, (_, name) => counted[name]) : signs;
  };
  const compare = () => {
    byId("count").textContent = describe(countWords());
    const unchanged = fixed() === candidate();
    editor().querySelector(".reset").disabled = unchanged;
    byId("changes").replaceChildren(...(unchanged ? [] : Words.edit(candidate(), fixed(), sheet().lang).map(Words.element)));
  };

  // A fix that leaves nothing is asked about before it is sent; one that keeps few words, by the
  // server, which has not stored it then.
  const question = () => editor().querySelector(".asked");
  const takeBack = () => question()?.remove();
  const isEmpty = () => {
    if (!NOTHING.test(fixed())) return false;
    takeBack();
    editor().append(byId("questions").content.querySelector(".asked").cloneNode(true));
    question().querySelector(".keep").focus();
    return true;
  };

  // A fix that is being written outlives a reload, a new sign-in in the same tab, and Escape, for
  // the same person. `open`: it was neither saved nor closed, so a page that comes says so.
  const { person } = document.body.dataset;
  const draft = () => {
    const kept = JSON.parse(sessionStorage.getItem("fix") || "{}");
    return kept.person === person ? kept : {};
  };
  const store = (open) => sessionStorage.setItem("fix", JSON.stringify({ person, item: item(), text: byId("text").value, open }));
  const forget = () => sessionStorage.removeItem("fix");
  const say = (selector, text) => {
    const note = byId("questions").content.querySelector(selector).cloneNode(true);
    const words = note.querySelector(".kept");
    if (words) words.textContent = text;
    byId("unsaved").replaceChildren(note);
  };
  const show = (arrives) => {
    const { item: its, text, open } = draft();
    if (!arrives) byId("unsaved").replaceChildren();
    else if (open && its !== item()) say(".lost-fix", text);
    if (!editor()) return;
    if (!editor().open && its === item()) byId("text").value = text;
    compare();
    if (!arrives || !open || its !== item() || fixed() === candidate()) return;
    editor().open = true;
    say(".unsaved-fix", text);
  };
  const keep = () => {
    takeBack();
    store(true);
    compare();
    clearTimeout(telling);
    telling = setTimeout(() => editor()?.open && announce(byId("count").textContent), 1500);
  };
  document.addEventListener("input", ({ target }) => target.id === "text" && keep());

  const field = () => editor()?.querySelector(".keep") || (editor()?.open ? byId("text") : null);
  const begin = () => {
    const text = byId("text");
    if (!editor()?.open || question() || document.activeElement === text) return;
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  };
  document.addEventListener("toggle", begin, true);
  const reset = () => {
    byId("text").value = candidate();
    keep();
    begin();
  };
  const cancel = () => {
    takeBack();
    if (draft().item === item()) store(false);
    byId("unsaved").replaceChildren();
    editor().open = false;
    sheet().focus();
  };
  const keepWriting = () => {
    takeBack();
    byId("text").focus();
  };
  const discard = () => {
    forget();
    byId("unsaved").replaceChildren();
    sheet().focus();
  };
  const press = (event) => {
    if (event.key === "Escape") {
      if (question()) keepWriting(); else cancel();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "text") {
      event.preventDefault();
      editor().querySelector(".save").click();
    }
  };

  const clicks = [[".cancel", cancel], [".reset", reset], [".keep", keepWriting], [".discard", discard]];
  return { begin, clicks, editor, field, forget, isEmpty, press, show };
})();
