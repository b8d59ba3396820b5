/** Colours of the style sheet for objects in space; they follow light and dark mode without a reload. */

import { Color, type Material } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";

type ColoredMaterial = Material & { color: Color };

export class Palette {
  private readonly materials: [ColoredMaterial, string][] = [];
  private readonly root: HTMLElement;
  private readonly watcher: MutationObserver;

  constructor(root: HTMLElement, changed: () => void) {
    this.root = root;
    this.watcher = new MutationObserver(() => {
      this.refresh();
      changed();
    });
    this.watcher.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    this.watcher.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light"] });
  }

  /** Read all colours again. */
  refresh(): void {
    for (const [material, name] of this.materials) material.color.set(this.colour(name));
  }

  /** Keep a material in a colour of the style sheet, "blue". */
  paint<M extends ColoredMaterial>(material: M, name: string): M {
    material.color.set(this.colour(name));
    this.materials.push([material, name]);
    return material;
  }

  /** Set the picture's size for lines, whose width is in pixels. */
  resize(width: number, height: number): void {
    for (const [material] of this.materials) {
      if (material instanceof LineMaterial) material.resolution.set(width, height);
    }
  }

  dispose(): void {
    this.watcher.disconnect();
    for (const [material] of this.materials) material.dispose();
  }

  private colour(name: string): Color {
    return new Color(getComputedStyle(this.root).getPropertyValue(`--live-${name}`).trim() || "#888888");
  }
}
