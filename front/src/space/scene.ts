/** A picture in space: camera, light, floor, and the map between points in metres and pixels of the stage. */

import {
  AmbientLight,
  BufferGeometry,
  Color,
  DirectionalLight,
  Float32BufferAttribute,
  LineBasicMaterial,
  LineSegments,
  MathUtils,
  Object3D,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Point } from "../handle.ts";
import { element } from "../page.ts";
import { Palette } from "./palette.ts";

const RATIO = 1.1; // width over height by default
const FIELD = 28; // degrees, of the camera from top to bottom
const TURN = Math.PI / 36; // rotation of the camera per key
const ROOM = 0.78; // of half a picture, from its middle to the outermost point
const SHARPEST = 2; // device pixels per page pixel, along each side
const ROUND: Record<string, Point> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Space {
  readonly scene = new Scene();
  readonly palette: Palette;
  readonly root: HTMLElement;
  width = 0;
  height = 0;
  /** Height of the floor [m]. */
  floor = 0;
  private readonly ratio: number;
  private readonly frame: HTMLElement;
  private readonly camera: PerspectiveCamera;
  private readonly renderer: WebGLRenderer;
  private readonly orbit: OrbitControls;
  private readonly watcher: ResizeObserver;

  constructor(root: HTMLElement, centre: number[], eye: number[], about: string, changed: () => void, ratio = RATIO) {
    this.root = root;
    this.ratio = ratio;
    const far = Math.hypot(...eye.map((entry, i) => entry - centre[i]));
    this.camera = new PerspectiveCamera(FIELD, ratio, Math.min(0.05, 0.02 * far), Math.max(60, 20 * far));
    Object3D.DEFAULT_UP.set(0, 0, 1);
    this.camera.up.set(0, 0, 1);
    this.camera.position.set(eye[0], eye[1], eye[2]);
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    const canvas = this.renderer.domElement;
    this.frame = element("div", "live-picture", root);
    this.frame.style.aspectRatio = String(ratio);
    this.frame.append(canvas);
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${about} Arrow keys turn the view.`);
    this.palette = new Palette(root, changed);
    this.addLight();
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.target.set(centre[0], centre[1], centre[2]);
    this.orbit.enableZoom = false; // a wheel scrolls the page
    this.orbit.enablePan = false;
    this.orbit.maxPolarAngle = 0.49 * Math.PI;
    this.orbit.update();
    this.orbit.saveState();
    this.orbit.addEventListener("change", changed);
    root.addEventListener("pointerup", changed); // for `include`
    canvas.style.touchAction = "pan-y"; // a finger that moves up or down scrolls the page
    canvas.addEventListener("keydown", (event) => this.turn(event, changed));
    this.measure();
    this.watcher = new ResizeObserver(() => {
      this.palette.refresh(); // a widget is created before it is on the page, where no style applies
      this.measure();
      changed();
    });
    this.watcher.observe(root);
  }

  add(...things: Object3D[]): void {
    this.scene.add(...things);
  }

  /** Draw a floor of squares, from −half to half [m]. */
  layFloor(half: number, side: number, centre: number[] = [0, 0], height = 0): void {
    this.floor = height;
    const points: number[] = [];
    for (let k = -Math.round(half / side); k <= Math.round(half / side); k++) {
      const at = k * side;
      points.push(centre[0] + at, centre[1] - half, height, centre[0] + at, centre[1] + half, height);
      points.push(centre[0] - half, centre[1] + at, height, centre[0] + half, centre[1] + at, height);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
    this.add(new LineSegments(geometry, this.palette.paint(new LineBasicMaterial(), "line")));
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }

  /** Return the pixel of the stage at which a point appears [m]. */
  at(point: number[]): Point {
    this.camera.updateMatrixWorld(); // the picture may not have been rendered from here yet
    const projected = new Vector3(point[0], point[1], point[2]).project(this.camera);
    return [((projected.x + 1) / 2) * this.width, ((1 - projected.y) / 2) * this.height];
  }

  /** Zoom out, if necessary, until points are in the picture, with some room for the things there [m]. */
  include(points: number[][]): void {
    if (this.root.querySelector(".live-handle:active")) return; // it would move away from under the pointer
    this.zoom(1);
    const [right, down] = [this.width / 2, this.height / 2];
    const off = points
      .map((point) => this.at(point))
      .map(([x, y]) => Math.max(Math.abs(x / right - 1), Math.abs(y / down - 1)));
    this.zoom(Math.min(1, ROOM / Math.max(...off)));
  }

  private zoom(factor: number): void {
    this.camera.zoom = factor;
    this.camera.updateProjectionMatrix();
  }

  /** Camera position [m]. */
  get eye(): number[] {
    return this.camera.position.toArray();
  }

  /** Unit vectors to the right and up on the screen. */
  get sides(): number[][] {
    this.camera.updateMatrixWorld();
    const { elements } = this.camera.matrixWorld;
    return [elements.slice(0, 3), elements.slice(4, 7)];
  }

  /** Set the camera, as when another picture was rotated. */
  lookFrom(eye: number[]): void {
    this.camera.position.set(eye[0], eye[1], eye[2]);
    this.orbit.update();
  }

  /** Return the point at a height that appears at a pixel of the stage [m], or nothing for the sky. */
  onFloor([x, y]: Point, height = 0): Point | undefined {
    this.camera.updateMatrixWorld();
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera);
    const hit = ray.ray.intersectPlane(new Plane(new Vector3(0, 0, 1), -height), new Vector3());
    return hit ? [hit.x, hit.y] : undefined;
  }

  /** Return a handler that follows a pointer over a plane at a height [m], except over the sky. */
  follow(act: (hit: Point) => void, height: () => number = () => 0): (place: Point) => void {
    return (place) => {
      const hit = this.onFloor(place, height());
      if (hit) act(hit);
    };
  }

  /** Return the point that appears at a pixel of the stage [m], as far from the eye as another point. */
  beside([x, y]: Point, point: number[]): number[] {
    this.camera.updateMatrixWorld();
    const depth = new Vector3(point[0], point[1], point[2]).project(this.camera).z;
    return new Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, depth).unproject(this.camera).toArray();
  }

  /** Restore the camera. */
  reset(): void {
    this.orbit.reset();
  }

  dispose(): void {
    this.watcher.disconnect();
    this.palette.dispose();
    this.orbit.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  private addLight(): void {
    const sun = new DirectionalLight(new Color(1, 1, 1), 2.2);
    sun.position.set(1.5, -2.5, 4);
    const sky = new DirectionalLight(new Color(1, 1, 1), 0.7);
    sky.position.set(-3, 2, 1);
    this.add(new AmbientLight(new Color(1, 1, 1), 1.1), sun, sky);
  }

  private turn(event: KeyboardEvent, changed: () => void): void {
    const way = ROUND[event.key];
    if (!way) return;
    event.preventDefault();
    const from = this.camera.position.clone().sub(this.orbit.target);
    from.applyAxisAngle(new Vector3(0, 0, 1), -way[0] * TURN);
    const side = new Vector3(0, 0, 1).cross(from).normalize();
    from.applyAxisAngle(side, way[1] * TURN);
    this.camera.position.copy(this.orbit.target).add(from);
    this.orbit.update();
    changed();
  }

  private measure(): void {
    const width = this.root.clientWidth || 400;
    const height = this.frame.clientHeight || Math.round(width / this.ratio); // lower in a low window
    if (width === this.width && height === this.height) return;
    this.width = width;
    this.height = height;
    this.camera.aspect = width / height;
    const narrow = Math.max(this.ratio / this.camera.aspect, 1); // as wide a view in a narrow picture
    this.camera.fov = 2 * MathUtils.radToDeg(Math.atan(Math.tan(MathUtils.degToRad(FIELD / 2)) * narrow));
    this.camera.updateProjectionMatrix();
    this.renderer.setPixelRatio(Math.min(globalThis.devicePixelRatio || 1, SHARPEST));
    this.renderer.setSize(width, height, false);
    this.palette.resize(width, height);
  }
}

/** Return a function that rotates some pictures with the one that was rotated. */
export function turner(spacesNow: () => Space[]): () => void {
  let [before, eye]: [Space | undefined, string] = [undefined, ""];
  return () => {
    const spaces = spacesNow();
    if (before !== spaces[0]) [before, eye] = [spaces[0], String(spaces[0].eye)];
    const rotated = spaces.find((space) => String(space.eye) !== eye);
    for (const space of rotated ? spaces : []) if (rotated && space !== rotated) space.lookFrom(rotated.eye);
    if (rotated) eye = String(rotated.eye);
  };
}
