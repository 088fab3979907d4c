// SPDX-License-Identifier: LGPL-3.0-or-later
// Asks the server: JSON and pictures.

// Events for the whole page: "refused" (the server wants the printed address), "failed" (no answer), "answered".
export const news = new EventTarget();
const tell = (name) => news.dispatchEvent(new Event(name));

export class Refusal extends Error {
	constructor(status, text) {
		super(text);
		this.status = status;
	}
}

// The first picture has the server and the screen for itself: other requests wait until it is painted.
let alone = null; // a promise while they wait
let release = () => {};
let begun = false;

export function holdBack() {
	alone = new Promise((resolve) => { release = resolve; });
	alone.then(() => { alone = null; });
	setTimeout(release, 2000); // there may be no picture at all
}

export const afterFirst = () => alone || Promise.resolve();
export const firstPainted = () => release();

async function ask(address, options, first = false) {
	if (alone && !first) await alone;
	let answer;
	try {
		answer = await fetch(address.slice(1), { credentials: "same-origin", cache: "no-store", ...options });
	} catch (error) {
		if (error.name !== "AbortError") tell("failed");
		throw error.name === "AbortError" ? error : new Refusal(0, "The server does not answer.");
	}
	if (answer.ok) return answer;
	if (answer.status === 401) tell("refused");
	let text = "";
	try { text = (await answer.json()).error; } catch { /* the server sent something else */ }
	throw new Refusal(answer.status, text || "The server answered " + answer.status + ".");
}

export const getJson = async (address, signal) => (await ask(address, { signal })).json();

export const post = async (address, body = {}) => {
	const answer = await ask(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
	const text = await answer.text();
	return text ? JSON.parse(text) : {};
};

const header = (answer, name, other = 0) => {
	const value = Number(answer.headers.get("Sino-" + name) ?? NaN);
	return Number.isFinite(value) ? value : other;
};

// A picture: values u16, 0 is "not a number", 1..65535 are low..high.
export async function getPicture(address, signal) {
	const first = alone && !begun;
	begun = true;
	const answer = await ask(address, { signal }, first).catch((error) => { if (first) release(); throw error; });
	const body = await answer.arrayBuffer();
	const picture = {
		width: header(answer, "Width"), height: header(answer, "Height"),
		low: header(answer, "Low"), high: header(answer, "High", 1),
		level: header(answer, "Level"), full: header(answer, "Full", 1) === 1,
		version: header(answer, "Version"), milliseconds: header(answer, "Milliseconds", NaN),
	};
	if (body.byteLength < 2 * picture.width * picture.height || !(picture.width > 0 && picture.height > 0))
		throw new Refusal(0, "The server sent an incomplete picture.");
	picture.values = new Uint16Array(body, 0, picture.width * picture.height);
	return picture;
}

// At most one request on its way and one wish waiting: the newest. get(address, signal) fetches;
// done(result, wish) and failed(error, wish) tell the outcome; what failed is asked again, unless failed says false. wish: {address, patient (may be stopped for a newer wish)}.
export class Asker {
	constructor(get, done, failed = () => {}) {
		Object.assign(this, { get, done, failed, now: null, next: null, wait: 0 });
	}

	ask(wish) {
		clearTimeout(this.timer);
		if (!this.now) return this.start(wish);
		if (this.now.wish.address === wish.address && !this.now.stop.signal.aborted) {
			this.next = null;
			return;
		}
		this.next = wish;
		if (this.now.wish.patient || wish.urgent) this.now.stop.abort();
	}

	drop() {
		this.rest();
		this.now?.stop.abort();
	}

	// Nothing more is wanted than what is on its way.
	rest() {
		clearTimeout(this.timer);
		this.next = null;
	}

	get busy() { return this.now !== null; }

	async start(wish) {
		const stop = new AbortController();
		this.now = { wish, stop };
		try {
			const result = await this.get(wish.address, stop.signal);
			this.wait = 0;
			if (!stop.signal.aborted) this.done(result, wish);
		} catch (error) {
			if (error.name !== "AbortError" && !stop.signal.aborted && this.failed(error, wish) !== false) {
				this.wait = Math.min(60e3, 2 * this.wait || 2000);
				this.timer = setTimeout(() => this.ask(wish), this.wait);
			}
		}
		this.now = null;
		if (this.next) {
			const next = this.next;
			this.next = null;
			this.start(next);
		}
	}
}

// Calls work() at most once per screen picture.
export function perFrame(work) {
	let asked = false;
	return () => {
		if (asked) return;
		asked = true;
		requestAnimationFrame(() => { asked = false; work(); });
	};
}
