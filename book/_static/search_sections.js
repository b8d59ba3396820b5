/* The search: a section whose title contains all words is a result of its own, with a link to it. Summaries come from
   the texts beside this script, because a browser does not fetch the pages of a book that is opened from a folder. */
{
  const TITLED = 15; // Sphinx's score of a page with the word in any title; a function with this name has 16
  const PAGE = 0.3; // a page comes before a section
  const ANSWER = 0.25; // and so do the questions of this page
  const ANSWERS = "book/how_do_i";
  const COMMON = 5; // a title of more sections, such as "Checks", is not a subject
  const PLAIN = new Set("an can do does get have how i many my use what when where which who why you".split(" "));

  const texts = window.pageTexts;
  const root = document.documentElement.dataset.content_root;
  const nameOf = (address) => address.slice(root.length).replace(/\.html$/, "");
  window.fetch = async (address) => ({ text: async () => texts[nameOf(address)] ?? "" });
  Search.htmlToText = (parts, anchor) => {
    const begin = parts.findIndex(([id]) => `#${id}` === anchor);
    return parts.slice(Math.max(begin, 0)).map(([, text]) => text).join(" ");
  };

  const stemmer = new Stemmer();
  const stems = (title) => {
    const words = splitQuery(title.toLowerCase()).filter((word) => !stopwords.includes(word) && !PLAIN.has(word));
    return words.map((word) => stemmer.stemWord(word));
  };

  const titled = (query) => {
    const terms = stems(query);
    const { alltitles, docnames, filenames, titles } = Search._index;
    const results = [];
    for (const [title, places] of Object.entries(alltitles)) {
      const words = stems(title);
      const fits = terms.length > 0 && terms.every((term) => words.includes(term));
      if (!fits || places.length > COMMON) continue;
      for (const [file, id] of places) {
        const isPage = id === null;
        const shown = isPage ? titles[file] : `${titles[file]} > ${title}`;
        const first = isPage ? PAGE : docnames[file] === ANSWERS ? ANSWER : 0;
        const score = TITLED + 0.6 * (terms.length / words.length) + first;
        results.push([docnames[file], shown, isPage ? "" : `#${id}`, null, score, filenames[file]]);
      }
    }
    return results;
  };

  const nameEntries = (results) => {
    const { docnames, indexentries } = Search._index;
    const entries = Object.entries(indexentries).flatMap(([entry, places]) =>
      places.map(([file, id]) => [`${docnames[file]}#${id}`, entry]),
    );
    const names = new Map(entries);
    return results.map(([page, title, anchor, ...others]) => {
      const entry = anchor.startsWith("#term-") ? names.get(page + anchor) : null;
      return [page, entry ? `${title} > ${entry}` : title, anchor, ...others];
    });
  };

  const search = Search._performSearch;
  Search._performSearch = (query, terms, excluded, ...others) => {
    const found = search(query, terms, excluded, ...others);
    const results = [...found, ...(excluded.size ? [] : titled(query))].sort(_orderResultsByScoreThenName);
    const best = new Map(results.map((result) => [result[0] + result[2], result])); // the last one is the best
    return nameEntries(results.filter((result) => best.get(result[0] + result[2]) === result));
  };
}
