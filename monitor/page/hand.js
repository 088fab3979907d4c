// SPDX-License-Identifier: LGPL-3.0-or-later
// Mouse, touch and keys for a view.

import { zoomAt, pan, mapping } from "./zoom.js";

let active = null; // the view that keys go to while nothing else has the focus
let space = false;

export function listenTo(view) {
	const area = view.picture;
	const fingers = new Map();
	let drag = null;
	let wheelSum = 0;
	let pinch = null;

	const at = (event) => {
		const box = area.getBoundingClientRect();
		return [event.clientX - box.left, event.clientY - box.top];
	};
	const slicePlace = (x, y) => mapping(view.zoom, view.slice, view.pane).toSlice(x, y);
	const wake = () => { active = view; };

	area.addEventListener("pointerenter", wake);
	area.addEventListener("focus", wake);

	area.addEventListener("wheel", (event) => {
		if (!view.slice) return;
		const inLines = event.deltaMode > 0; // read first: Firefox then tells lines
		const move = event.deltaY || event.deltaX; // with Shift some browsers turn the wheel sideways
		if (event.ctrlKey || event.metaKey) {
			event.preventDefault();
			const power = inLines || Math.abs(move) >= 40 ? Math.sign(move) * 0.3 : move / 100; // a mouse, or two fingers on a touchpad
			zoomAt(view.zoom, view.slice, view.pane, Math.exp(-power), ...at(event));
			return;
		}
		if (view.count < 2) return;
		event.preventDefault();
		const step = event.shiftKey ? 10 : 1;
		if (inLines || Math.abs(move) >= 40) return view.setIndex(view.index + Math.sign(move) * step);
		wheelSum += move; // a touchpad sends many small moves
		const whole = Math.trunc(wheelSum / 20);
		wheelSum -= whole * 20;
		if (whole) view.setIndex(view.index + whole * step);
	}, { passive: false });

	area.addEventListener("pointerdown", (event) => {
		if (!view.slice || event.button === 2) return;
		wake();
		const [x, y] = at(event);
		fingers.set(event.pointerId, [x, y]);
		area.setPointerCapture(event.pointerId);
		if (fingers.size === 2) {
			drag = null;
			pinch = pinchOf(fingers);
			return;
		}
		const touch = event.pointerType === "touch";
		if (event.button === 1) event.preventDefault();
		if (view.tool && event.button === 0 && !space) {
			drag = { kind: "tool" };
			view.tool.down(...slicePlace(x, y), view);
		} else if (event.button === 1 || space || !view.zoom.fitted) drag = { kind: "pan", x, y, moved: event.button === 1 || space };
		else if (touch) drag = { kind: "tap", x, y };
		else {
			drag = { kind: "pick" };
			view.hooks.onPick?.(...slicePlace(x, y), view);
		}
	});

	area.addEventListener("pointermove", (event) => {
		if (!view.slice) return;
		const [x, y] = at(event);
		if (fingers.has(event.pointerId)) fingers.set(event.pointerId, [x, y]);
		if (pinch && fingers.size === 2) {
			const now = pinchOf(fingers);
			zoomAt(view.zoom, view.slice, view.pane, now.apart / pinch.apart, now.x, now.y);
			pan(view.zoom, view.slice, view.pane, now.x - pinch.x, now.y - pinch.y);
			pinch = now;
			return;
		}
		if (drag?.kind === "tool") view.tool.move(...slicePlace(x, y), view);
		else if (drag?.kind === "pick") view.hooks.onPick?.(...slicePlace(x, y), view);
		else if (drag && !drag.moved && Math.hypot(x - drag.x, y - drag.y) > 4) drag.moved = true;
		if (drag?.kind === "pan" && drag.moved) {
			pan(view.zoom, view.slice, view.pane, x - drag.x, y - drag.y);
			Object.assign(drag, { x, y });
		}
		view.hooks.onHover?.(slicePlace(x, y), view);
	});

	const up = (event) => {
		if (!fingers.delete(event.pointerId)) return;
		const [x, y] = at(event);
		pinch = null;
		if (drag?.kind === "tool") view.tool.up?.(view);
		if (drag && !drag.moved && event.type === "pointerup" && (drag.kind === "tap" || drag.kind === "pan")) {
			view.hooks.onPick?.(...slicePlace(x, y), view);
			if (event.pointerType === "touch") view.hooks.onHover?.(slicePlace(x, y), view);
		}
		drag = null;
	};
	area.addEventListener("pointerup", up);
	area.addEventListener("pointercancel", up);
	area.addEventListener("pointerleave", () => { if (!drag) view.hooks.onHover?.(null, view); });
	area.addEventListener("dblclick", () => view.zoom.fit());
	area.addEventListener("contextmenu", (event) => { if (drag) event.preventDefault(); });
	area.addEventListener("keydown", (event) => { if (key(view, event)) { event.preventDefault(); event.stopPropagation(); } });
}

function pinchOf(fingers) {
	const [[ax, ay], [bx, by]] = [...fingers.values()];
	return { apart: Math.max(20, Math.hypot(ax - bx, ay - by)), x: (ax + bx) / 2, y: (ay + by) / 2 };
}

// Keys of a view; true if the key meant something.
export function key(view, event) {
	if (event.ctrlKey || event.altKey || event.metaKey || !view?.slice) return false;
	const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -1e9, End: 1e9 }[event.key];
	if (event.shiftKey && event.key.startsWith("Arrow")) {
		const move = { ArrowRight: [-40, 0], ArrowLeft: [40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
		pan(view.zoom, view.slice, view.pane, ...move);
		return true;
	}
	if (by && view.count > 1) return view.setIndex(view.index + by), true;
	if ("+=".includes(event.key)) return zoomAt(view.zoom, view.slice, view.pane, 1.3), true;
	if ("-_".includes(event.key)) return zoomAt(view.zoom, view.slice, view.pane, 1 / 1.3), true;
	if (event.key === "0") return view.zoom.fit(), true;
	return event.key === " ";
}

const free = (target) => target === document.body || target?.classList?.contains("picture");

addEventListener("keydown", (event) => {
	if (event.key === " " && free(event.target)) space = true;
	if (event.target === document.body && active?.root.isConnected && active.root.offsetParent && key(active, event)) event.preventDefault();
});
addEventListener("keyup", (event) => { if (event.key === " ") space = false; });
addEventListener("blur", () => { space = false; });
