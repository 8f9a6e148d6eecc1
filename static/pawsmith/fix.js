// Writing a sentence, to fix one or to translate it: what is written outlives mishaps, and what a fix
// changes is shown meanwhile. The editor of a fix is opened; that of a translation is always open.
// work.js uses it: `show` an item, the `field` to write in, `begin`, `press` the keys that it `takes`, and
// whether something `isUnsaved`.
window.Fix = (() => {
  "use strict";

  const byId = (id) => document.getElementById(id);
  const work = () => byId("work");
  const editor = () => work().querySelector("details.fix, .writing");
  const opens = () => Boolean(editor()?.matches("details"));
  const isOpen = () => Boolean(editor() && (!opens() || editor().open));
  const sheet = () => work().querySelector("[data-focus]");
  const item = () => work().querySelector("[name=item]").value;
  const announce = (words) => (byId("announcer").textContent = words);

  // What a fix begins with; a translation begins with nothing.
  const candidate = () => (opens() ? sheet().querySelector(".sentence").textContent : "");
  const fixed = () => byId("text").value.replace(/[\t\r\n]+/g, " ").trim().normalize("NFC");
  const NOTHING = /^[\p{Cc}\p{Cf}\p{Z}]*$/u;
  const isUnsaved = () => isOpen() && fixed() !== candidate();
  let telling = null;
  // In the unit of the page's word error rate; without one, in words.
  const units = (text) => sheet().dataset.unit === "character" ? Words.characters(text) : Words.words(text, sheet().lang);
  const countChanges = () => {
    const [before, after] = [units(candidate()), units(fixed())];
    return { changed: Words.steps(before, after), before: before.length, after: after.length };
  };
  const describe = (counted) => {
    const { same, signs, words, characters } = byId("questions").dataset;
    if (fixed() === candidate()) return same;
    const changed = sheet().dataset.unit === "character" ? characters : words;
    return counted.changed ? changed.replace(/\{(\w+)\}/g, (_, name) => counted[name]) : signs;
  };
  const compare = () => {
    if (!opens()) return;
    byId("count").textContent = describe(countChanges());
    const unchanged = fixed() === candidate();
    editor().querySelector(".reset").disabled = unchanged;
    byId("changes").replaceChildren(...(unchanged ? [] : Words.edit(candidate(), fixed(), sheet().lang).map(Words.element)));
  };

  // A fix that leaves nothing is asked about before it is sent; one that keeps few words, by the
  // server, which has not stored it then.
  const question = () => work().querySelector(".asked");
  const takeBack = () => question()?.remove();
  const isEmpty = () => {
    if (!NOTHING.test(fixed())) return false;
    takeBack();
    const asked = byId("questions").content.querySelector(".asked").cloneNode(true);
    if (opens()) editor().append(asked); else work().querySelector(".answers").after(asked);
    question().querySelector(".keep").focus();
    return true;
  };

  // What is being written outlives a reload, a new sign-in in the same tab, an undo and Escape, for
  // the same person. `open`: it was neither saved nor closed, so a page that comes says so.
  const { person } = document.body.dataset;
  const [DRAFTS, MOST_DRAFTS] = [`drafts ${location.pathname}`, 20];
  const drafts = () => JSON.parse(sessionStorage.getItem(DRAFTS) || "[]").filter((each) => each.person === person);
  const draftOf = (its) => drafts().find((each) => each.item === its);
  const keepDrafts = (found) => sessionStorage.setItem(DRAFTS, JSON.stringify(found.slice(-MOST_DRAFTS)));
  const forget = (its) => keepDrafts(drafts().filter((each) => each.item !== its));
  const store = (open) => {
    const others = drafts().filter((each) => each.item !== item());
    keepDrafts([...others, { person, item: item(), text: byId("text").value, open }]);
  };
  // Of a draft whose item someone else got, nothing is said again once another item has followed.
  const closeOthers = () => keepDrafts(drafts().map((each) => (each.item === item() ? each : { ...each, open: false })));
  const say = (selector, text) => {
    const note = byId("questions").content.querySelector(selector).cloneNode(true);
    const words = note.querySelector(".kept");
    if (words) words.textContent = text;
    byId("unsaved").replaceChildren(note);
  };
  // Asks for warnings about a text that no one types; htmx hears it once the page is there.
  const check = (arrives) => {
    const ask = () => byId("text")?.dispatchEvent(new Event("check"));
    if (arrives) window.addEventListener("load", ask, { once: true }); else ask();
  };
  const show = (arrives) => {
    const lost = drafts().find((each) => each.open && each.item !== item() && !NOTHING.test(each.text));
    if (arrives && lost) say(".lost-fix", lost.text);
    if (!arrives) {
      byId("unsaved").replaceChildren();
      closeOthers();
    }
    if (!editor()) return;
    const mine = draftOf(item());
    const isAsked = Boolean(question()); // the text in view was sent, and is not stored
    if (mine && !isAsked && !(opens() && editor().open)) byId("text").value = mine.text;
    compare();
    if (!opens() && fixed()) check(arrives);
    if (!arrives || !mine?.open || fixed() === candidate()) return;
    if (opens()) editor().open = true;
    say(".unsaved-fix", mine.text);
  };
  const keep = () => {
    takeBack();
    store(true);
    compare();
    clearTimeout(telling);
    if (opens()) telling = setTimeout(() => isOpen() && announce(byId("count").textContent), 1500);
  };
  document.addEventListener("input", ({ target }) => target.id === "text" && keep());

  const field = () => question()?.querySelector(".keep") || (isOpen() ? byId("text") : null);
  const begin = () => {
    const text = byId("text");
    if (!isOpen() || question() || document.activeElement === text) return;
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
  };
  document.addEventListener("toggle", ({ target }) => target === editor() && begin(), true);
  const reset = () => {
    byId("text").value = candidate();
    keep();
    begin();
  };
  const cancel = () => {
    takeBack();
    if (draftOf(item())) store(false);
    byId("unsaved").replaceChildren();
    editor().open = false;
    sheet().focus();
  };
  const keepWriting = () => {
    takeBack();
    byId("text").focus();
  };
  const discard = () => {
    keepDrafts(drafts().filter((each) => each.item === item()));
    byId("unsaved").replaceChildren();
    (field() || sheet()).focus();
  };
  const press = (event) => {
    if (event.key === "Escape") {
      if (question()) keepWriting(); else if (opens()) cancel(); else sheet().focus();
    } else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "text") {
      event.preventDefault();
      work().querySelector(".save").click();
    }
  };
  // All keys while a fix is open; else those of the field, and Escape where something is asked.
  const isFixing = () => opens() && editor().open;
  const takes = ({ key, target }) => {
    if (isFixing()) return key === "Escape" || editor().contains(target);
    return isOpen() && (target.id === "text" || (key === "Escape" && Boolean(question())));
  };

  const clicks = [[".cancel", cancel], [".reset", reset], [".keep", keepWriting], [".discard", discard]];
  return { begin, clicks, field, forget, isEmpty, isFixing, isUnsaved, press, show, takes };
})();
