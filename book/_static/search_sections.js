/* The search: a section whose title contains all words is a result of its own, with a link to it. Summaries come from
   the texts beside this script, because a browser does not fetch the pages of a book that is opened from a folder. */
{
  const PAGE = 16; // scores: Sphinx gives 15 to a page with the word in any title, 16 to a function with this name
  const SECTION = 15;
  const COMMON = 5; // a title of more sections, such as "Checks", is not a subject

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
    const words = splitQuery(title.toLowerCase()).filter((word) => !stopwords.includes(word));
    return words.map((word) => stemmer.stemWord(word));
  };

  const titled = (terms) => {
    const { alltitles, docnames, filenames, titles } = Search._index;
    const results = [];
    for (const [title, places] of Object.entries(alltitles)) {
      const words = stems(title);
      const fits = [...terms].every((term) => words.includes(term));
      if (!terms.size || !fits || places.length > COMMON) continue;
      for (const [file, id] of places) {
        const page = titles[file] === title;
        const shown = page ? title : `${titles[file]} > ${title}`;
        const score = page ? PAGE + terms.size / words.length : SECTION + (0.9 * terms.size) / words.length;
        results.push([docnames[file], shown, page || id === null ? "" : `#${id}`, null, score, filenames[file]]);
      }
    }
    return results;
  };

  const search = Search._performSearch;
  Search._performSearch = (query, terms, excluded, ...others) => {
    const found = search(query, terms, excluded, ...others);
    const results = [...found, ...(excluded.size ? [] : titled(terms))].sort(_orderResultsByScoreThenName);
    const best = new Map(results.map((result) => [result[0] + result[2], result])); // the last one is the best
    return results.filter((result) => best.get(result[0] + result[2]) === result);
  };
}
