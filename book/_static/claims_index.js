/* The index of claims holds hundreds of formulas: those of a lesson are typeset when its fold is opened, or for paper. */
{
  const folds = [...document.querySelectorAll("details.claims-fold")].map((fold) => {
    const table = fold.lastElementChild;
    table.remove(); // out of the page, MathJax does not find it when it starts
    return { fold, table };
  });
  const fill = ({ fold, table }) => {
    if (table.parentElement) return [];
    fold.append(table);
    return [table];
  };
  for (const one of folds) {
    one.fold.addEventListener("toggle", async () => {
      const tables = fill(one);
      await window.MathJax?.startup?.promise; // its script may still be loading
      if (tables.length > 0) await window.MathJax?.typesetPromise?.(tables);
    });
  }
  const open = () => {
    for (const { fold } of folds) {
      if (location.hash && fold.parentElement.matches(`[id="${location.hash.slice(1)}"]`)) fold.open = true;
    }
  };
  window.addEventListener("hashchange", open);
  open();
  window.addEventListener("beforeprint", () => {
    const tables = folds.flatMap(fill);
    if (tables.length > 0) window.MathJax?.typeset?.(tables);
  });
}
