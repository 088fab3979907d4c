// SPDX-License-Identifier: LGPL-3.0-or-later
// Pictures of a run: the newest slices, and live planes with their controls.

import { make, card, setText, tell } from "./dom.js";
import { Asker, getPicture } from "./ask.js";
import { View } from "./view.js";
import { Zoom } from "./zoom.js";
import { GreyWindow, percentiles } from "./grey.js";
import { scaleBar } from "./marks.js";
import { LiveControls, PlaneControls, goesOn } from "./live.js";

// One picture of a run, fetched anew when its version changes and the earlier fetch has ended.
class RunPicture {
	constructor(name, title) {
		Object.assign(this, { name, version: null, wanted: null, contrast: "0.1" });
		this.grey = new GreyWindow();
		this.note = make("span", { class: "took" });
		this.view = new View({ name: "run", title, level: "h3", zoom: new Zoom(), grey: this.grey, hooks: { whole: true, onWant: () => this.fetch() } });
		this.view.marks.push(scaleBar(() => [0, ""]));
		this.view.root.dataset.picture = name;
		this.view.bar.append(this.note);
		this.asker = new Asker(getPicture, (picture, wish) => this.take(picture, wish.version), (error, wish) => {
			this.version = wish.version; // the next version may do
			if (error.status === 404) return false; // it is just being made anew
			if (!error.status) return; // the page tells it
			tell(this.view.trouble, error.message);
		});
	}

	update(info) {
		this.view.setTitle(info.title || info.name);
		setText(this.note, info.projections ? `from ${info.projections} projections` : "");
		this.wanted = info.version;
		this.fetch();
	}

	fetch() {
		const seen = this.view?.root.offsetParent && !document.hidden;
		if (!seen || !this.asker || !this.wanted || this.wanted === this.version || this.asker.busy) return;
		this.asker.ask({ address: "/run/picture?name=" + encodeURIComponent(this.name), version: this.wanted });
	}

	take(picture, version) {
		this.version = picture.version || version;
		if (this.version < version) this.version = version;
		tell(this.view.trouble);
		this.stretch(picture);
		this.view.put(picture);
		this.view.root.dataset.version = this.version;
		setTimeout(() => this.fetch(), 0);
	}

	setContrast(text) {
		if (text === this.contrast) return;
		this.contrast = text;
		const picture = this.view.top?.picture;
		if (picture) this.stretch(picture);
	}

	// So many percent of the pixels are black, and white.
	stretch(picture) {
		const share = Number(this.contrast);
		if (Number.isFinite(share)) this.grey.set(...percentiles(picture, [share, 100 - share]));
	}

	end() {
		this.asker.drop();
		this.view.end();
	}
}

// The volume of a live node, from the sizes of its pictures; rows are known where a plane is upright.
function extentsOf(live, infos) {
	let [rows, columns] = [0, 0];
	for (const plane of live.planes) {
		const info = infos.find((one) => one.name === `${live.node}/${plane.number}`);
		if (!info) continue;
		columns = Math.max(columns, info.width);
		if (/^\s*[xy]\s*=[^,]*$/.test(plane.plane)) rows = info.height;
	}
	return [rows, columns, columns];
}

export class RunPictures {
	constructor() {
		this.shown = new Map();
		this.planes = new Map();
		this.lives = new Map();
		this.slices = make("div", { class: "run-pictures" });
		this.sliceCard = card("Newest slices", "", this.slices);
		this.root = make("div", { class: "run-main" });
		this.root.append(this.sliceCard);
	}

	end() { for (const picture of this.shown.values()) picture.end(); }

	update(run) {
		const infos = run.pictures || [];
		const byName = new Set(infos.map((info) => info.name));
		const lives = run.live || [];
		const planes = lives.flatMap((live) => live.planes.map((plane) => live.node + "/" + plane.number)); // stay while made anew
		for (const [name, picture] of this.shown) if (!byName.has(name) && !planes.includes(name)) { picture.end(); this.shown.delete(name); }
		for (const info of infos) {
			const live = lives.find((one) => info.name.startsWith(one.node + "/"));
			let picture = this.shown.get(info.name);
			if (!picture) {
				picture = new RunPicture(info.name, info.title);
				this.shown.set(info.name, picture);
				if (!live) this.slices.append(picture.view.root);
			}
			if (live) picture.setContrast(this.lives.get(live.node)?.wanted || "0.1");
			picture.update(info);
		}
		this.sliceCard.hidden = !this.slices.children.length;
		for (const [node, controls] of this.lives) if (!lives.some((live) => live.node === node)) { controls.root.remove(); this.lives.delete(node); }
		for (const live of lives) this.updateLive(live, run);
	}

	setContrast(node) {
		for (const [name, picture] of this.shown) if (name.startsWith(node + "/")) picture.setContrast(this.lives.get(node).wanted);
	}

	updateLive(live, run) {
		let controls = this.lives.get(live.node);
		if (!controls) {
			controls = new LiveControls(live, () => this.setContrast(live.node));
			this.lives.set(live.node, controls);
			this.root.append(controls.root);
		}
		live = { ...live, extents: extentsOf(live, run.pictures || []).map((n, i) => Math.max(n, controls.extents?.[i] || 0)) };
		controls.update(live, goesOn(run));
		const names = live.planes.map((plane) => live.node + "/" + plane.number);
		for (const [name, plane] of this.planes) if (name.startsWith(live.node + "/") && !names.includes(name)) { plane.root.remove(); this.planes.delete(name); }
		for (const plane of live.planes) {
			const name = live.node + "/" + plane.number;
			let card = this.planes.get(name);
			if (!card) {
				card = new PlaneControls(live, plane);
				this.planes.set(name, card);
				controls.planes.append(card.root);
			}
			card.update(live, plane);
			const picture = this.shown.get(name);
			if (picture && picture.view.root.parentNode !== card.root) card.root.prepend(picture.view.root);
			picture?.fetch();
		}
	}
}
