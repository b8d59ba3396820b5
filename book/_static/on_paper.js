/* Paper is white: while a page is printed it is light, and what is folded for a second reading is open, as are answers. */
{
  let mode = "";
  let opened = [];
  window.addEventListener("beforeprint", () => {
    mode = document.documentElement.dataset.theme;
    document.documentElement.dataset.theme = "light";
    opened = [...document.querySelectorAll(":is(details.deeper, .predict > details):not([open])")];
    for (const fold of opened) fold.open = true;
  });
  window.addEventListener("afterprint", () => {
    document.documentElement.dataset.theme = mode;
    for (const fold of opened) fold.open = false;
  });
}
