/* A picture that moves, in a cell tagged `moving`, gets a button that stops it; for readers who prefer reduced motion it
   waits for that button. The still picture is a canvas: a browser paints into it what the picture shows when painted. */
document.addEventListener("DOMContentLoaded", () => {
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
  for (const moving of document.querySelectorAll(".tag_moving .cell_output img")) {
    const still = document.createElement("canvas");
    const button = document.createElement("button");
    still.setAttribute("role", "img");
    still.setAttribute("aria-label", moving.alt);
    button.type = "button";
    button.className = "moving-picture-button";
    const play = (wanted) => {
      moving.hidden = !wanted;
      still.hidden = wanted;
      button.textContent = wanted ? "Stop the picture" : "Let it move";
    };
    const begin = () => {
      still.width = moving.naturalWidth;
      still.height = moving.naturalHeight;
      still.getContext("2d").drawImage(moving, 0, 0);
      moving.after(still, button);
      button.addEventListener("click", () => play(moving.hidden));
      play(!calm.matches);
    };
    if (moving.complete && moving.naturalWidth) begin();
    else moving.addEventListener("load", begin, { once: true });
  }
});
