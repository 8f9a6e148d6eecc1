// How two sentences differ, word by word; only `element` needs a page. What a word is, in Chinese and
// Japanese too, the browser knows (UAX 29, Intl.Segmenter).
const Words = (() => {
  "use strict";

  const LETTERS = String.raw`[\p{L}\p{M}\p{N}]+`;
  const PLAIN = new RegExp(String.raw`${LETTERS}(?:['’]${LETTERS})*|\s+|.`, "gsu");
  const SPACE = /^\s+$/u;
  const WORD = /[\p{L}\p{N}]/u;

  const segmenter = (language) => {
    try {
      return new Intl.Segmenter(language || undefined, { granularity: "word" });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return segmenter(); // no language bears this name
    }
  };
  const cut = (text, language) => Intl.Segmenter
    ? Array.from(segmenter(language).segment(text), ({ segment }) => segment)
    : text.match(PLAIN) || [];

  // Words and signs in the order of the text, each with the space that follows it.
  const tokens = (text, language) => {
    const found = [];
    for (const piece of cut(text.normalize("NFC").trim(), language)) {
      if (!SPACE.test(piece)) found.push({ text: piece, space: "", isWord: WORD.test(piece) });
      else if (found.length) found.at(-1).space += piece;
    }
    return found;
  };

  // A longest common subsequence: which tokens of either side the other has too, in this order.
  // Among equally long ones, one whose tokens keep their places: of "cat and dog" and "dog and cat",
  // "and" stays.
  const common = (before, after, equal) => {
    const [n, m] = [before.length, after.length];
    const kept = { before: Array(n).fill(false), after: Array(m).fill(false) };
    const keep = (i, j) => (kept.before[i] = kept.after[j] = true);
    let [start, end] = [0, 0];
    while (start < Math.min(n, m) && equal(start, start)) keep(start, start++);
    while (end < Math.min(n, m) - start && equal(n - 1 - end, m - 1 - end)) keep(n - 1 - end, m - 1 - end++);
    const [rows, columns] = [n - end, m - end];
    const width = columns - start + 1;
    const best = new Uint32Array((rows - start + 1) * width);
    const at = (i, j) => (i - start) * width + j - start;
    const worth = (i, j) => (i === j || n - i === m - j ? 2049 : 2048);
    for (let i = rows - 1; i >= start; i--) {
      for (let j = columns - 1; j >= start; j--) {
        const both = equal(i, j) ? best[at(i + 1, j + 1)] + worth(i, j) : 0;
        best[at(i, j)] = Math.max(both, best[at(i + 1, j)], best[at(i, j + 1)]);
      }
    }
    for (let i = start, j = start; i < rows && j < columns;) {
      if (best[at(i, j)] === best[at(i + 1, j)]) i++;
      else if (best[at(i, j)] === best[at(i, j + 1)]) j++;
      else keep(i++, j++);
    }
    return kept;
  };

  // Neighbours of one kind as one piece; the space around what differs belongs to what does not.
  const runs = (pieces) => {
    const joined = [];
    const add = (kind, text) => {
      if (joined.at(-1)?.kind === kind) joined.at(-1).text += text;
      else if (text) joined.push({ kind, text });
    };
    pieces.forEach(({ kind, text, space }, at) => {
      add(kind, text);
      add(pieces[at + 1]?.kind === kind ? kind : "same", space);
    });
    return joined;
  };

  // What a reader who compares finds: pieces of both sentences, "same" or "differs". A word that
  // only gained or lost the capital of a sentence's beginning is the same word.
  const compare = (one, other, language) => {
    const [before, after] = [tokens(one, language), tokens(other, language)];
    const first = [before, after].map((side) => side.findIndex((token) => token.isWord));
    const low = (text) => text.toLowerCase();
    const equal = (i, j) => before[i].text === after[j].text
      || ((i === first[0] || j === first[1]) && low(before[i].text) === low(after[j].text));
    const kept = common(before, after, equal);
    const side = (found, isKept) => runs(found.map((token, at) => ({ ...token, kind: isKept[at] ? "same" : "differs" })));
    return [side(before, kept.before), side(after, kept.after)];
  };

  // What an edit did: pieces of the new text and of the old between them, "same", "gone", "new".
  const edit = (old, text, language) => {
    const [before, after] = [tokens(old, language), tokens(text, language)];
    const kept = common(before, after, (i, j) => before[i].text === after[j].text);
    const pieces = [];
    let i = 0;
    const leave = () => {
      while (i < before.length && !kept.before[i]) pieces.push({ ...before[i++], kind: "gone" });
    };
    after.forEach((token, j) => {
      leave();
      if (!kept.after[j]) return pieces.push({ ...token, kind: "new" });
      const { space } = before[i++];
      pieces.push({ ...token, kind: "same", space: token.space || space });
    });
    leave();
    return runs(pieces);
  };

  const words = (text, language) => tokens(text, language).filter((token) => token.isWord).map((token) => token.text);

  // As the word error rate counts them in languages that are written without spaces.
  const characters = (text) => Array.from(text.normalize("NFC")).filter((each) => !SPACE.test(each));

  // Least number of words, or characters, to insert, delete or replace (Levenshtein).
  const steps = (before, after) => {
    let row = after.map((_, j) => j + 1);
    before.forEach((word, i) => {
      let [corner, left] = [i, i + 1];
      row = row.map((above, j) => {
        left = Math.min(above + 1, left + 1, corner + (word === after[j] ? 0 : 1));
        corner = above;
        return left;
      });
    });
    return after.length ? row.at(-1) : before.length;
  };

  const distance = (old, text, language) => steps(words(old, language), words(text, language));

  // A piece of a comparison as a node of a page.
  const TAGS = { differs: "mark", gone: "del", new: "ins" };
  const element = ({ kind, text }) => {
    if (kind === "same") return document.createTextNode(text);
    return Object.assign(document.createElement(TAGS[kind]), { textContent: text });
  };

  const isWord = (piece) => WORD.test(piece);

  return { characters, compare, cut, distance, edit, element, isWord, steps, tokens, words };
})();
