/** Published shapes of arms: their meshes, created once per page. */

import { BufferAttribute, BufferGeometry, type Group, type Material, Mesh } from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Matrix } from "../kernels.ts";
import type { ShapeData } from "../shape_data.ts";
import { matrix4 } from "./shapes.ts";

const CREASE = 0.5; // rad: a larger dihedral angle is drawn as an edge

const cache = new Map<string, BufferGeometry[]>();

/** Return the links of a shape, the base first, or nothing if its script is missing. */
export function linksOf(name: string | null): BufferGeometry[] | undefined {
  const data = name === null ? undefined : globalThis.lessonsShapes?.[name];
  if (name === null || !data) return undefined;
  const links = cache.get(name) ?? data.links.map(({ vertices, triangles }) => unpack(data, vertices, triangles));
  cache.set(name, links);
  return links;
}

/** Links with their current poses. */
export class LinkShapes {
  private readonly meshes: Mesh[];

  constructor(group: Group, links: BufferGeometry[], material: Material) {
    this.meshes = links.map((link) => new Mesh(link, material));
    for (const mesh of this.meshes) mesh.matrixAutoUpdate = false;
    group.add(...this.meshes);
  }

  /** Set the poses from a kernel: three rows for each link, its motion since q = 0. */
  place({ links }: Record<string, Matrix>): void {
    this.meshes.forEach((mesh, k) => {
      mesh.matrix.copy(matrix4([...links.slice(3 * k, 3 * k + 3), [0, 0, 0, 1]]));
    });
  }
}

function unpack({ low, step }: ShapeData, vertices: string, triangles: string): BufferGeometry {
  const places = Float32Array.from(numbers(vertices), (k, i) => low[i % 3] + k * step);
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(places, 3));
  geometry.setIndex(new BufferAttribute(numbers(triangles), 1));
  return toCreasedNormals(geometry, CREASE);
}

function numbers(text: string): Uint16Array {
  return new Uint16Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
}
