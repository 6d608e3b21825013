// Recomputes dice from what was published of their seeds. All of it is here, in plain JavaScript: without HTTPS,
// as on a LAN, browsers keep their own cryptography from pages.
const K = Uint32Array.from(
  ("428a2f9871374491b5c0fbcfe9b5dba53956c25b59f111f1923f82a4ab1c5ed5d807aa9812835b01243185be550c7dc3" +
    "72be5d7480deb1fe9bdc06a7c19bf174e49b69c1efbe47860fc19dc6240ca1cc2de92c6f4a7484aa5cb0a9dc76f988da" +
    "983e5152a831c66db00327c8bf597fc7c6e00bf3d5a7914706ca63511429296727b70a852e1b21384d2c6dfc53380d13" +
    "650a7354766a0abb81c2c92e92722c85a2bfe8a1a81a664bc24b8b70c76c51a3d192e819d6990624f40e3585106aa070" +
    "19a4c1161e376c082748774c34b0bcb5391c0cb34ed8aa4a5b9cca4f682e6ff3748f82ee78a5636f84c878148cc70208" +
    "90befffaa4506cebbef9a3f7c67178f2").match(/.{8}/g),
  (each) => parseInt(each, 16),
);
const H = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const RANGE = 2 ** 32;

export const bytes = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (each) => parseInt(each, 16));
export const hex = (some) => Array.from(some, (each) => each.toString(16).padStart(2, "0")).join("");
const joined = (...parts) => Uint8Array.from(parts.flatMap((each) => [...each]));
const turned = (x, n) => (x >>> n) | (x << (32 - n));

export function sha256(message) {
  const size = (((message.length + 8) >> 6) + 1) * 64;
  const padded = new Uint8Array(size);
  padded.set(message);
  padded[message.length] = 128;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 8, Math.floor((message.length * 8) / RANGE));
  view.setUint32(size - 4, message.length * 8);
  const state = Uint32Array.from(H);
  const w = new Uint32Array(64);
  for (let at = 0; at < size; at += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let n = 0; n < 64; n++) {
      const [x, y] = [w[n - 15], w[n - 2]];
      w[n] = n < 16 ? view.getUint32(at + 4 * n)
        : w[n - 16] + (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + w[n - 7] + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10));
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + K[n] + w[n];
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((each, n) => (state[n] += each));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((each, n) => digest.setUint32(4 * n, each));
  return new Uint8Array(digest.buffer);
}

export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  return sha256(joined(block.map((each) => each ^ 0x5c), sha256(joined(block.map((each) => each ^ 0x36), message))));
}

// What decides a die, or the key of a hidden roll: 16, 4, 8 and 4 bytes.
function placed(campaign, epoch, number, block) {
  const view = new DataView(new ArrayBuffer(32));
  campaign.forEach((each, n) => view.setUint8(n, each));
  view.setUint32(16, epoch);
  view.setUint32(20, Math.floor(number / RANGE));
  view.setUint32(24, number % RANGE);
  view.setUint32(28, block);
  return new Uint8Array(view.buffer);
}

// A die with the bytes that decide it, and the number of them that counts: the first that favours no face.
export function die(key, campaign, epoch, number, sides, words) {
  for (let block = 0; ; block++) {
    const digest = hmac(key, joined(placed(campaign, epoch, number, block), words));
    const view = new DataView(digest.buffer);
    for (let at = 0; at < 32; at += 4) {
      const drawn = view.getUint32(at);
      if (drawn < RANGE - (RANGE % sides)) return { face: (drawn % sides) + 1, drawn, digest };
    }
  }
}

const leaf = (key) => sha256(joined([0], key));
const node = (left, right) => sha256(joined([1], left, right));

// The key that dice follow from, and what its fingerprint comes to.
export function opened({ kind, secret, campaign, epoch, roll, path }) {
  const known = bytes(secret);
  if (kind === "seed") return { key: known, fingerprint: hex(sha256(known)) };
  if (kind === "key") {
    let [found, place] = [leaf(known), roll];
    for (const each of path) {
      found = place % 2 ? node(each, found) : node(found, each);
      place = Math.floor(place / 2);
    }
    return { key: known, fingerprint: hex(found) };
  }
  const keys = Array.from({ length: 256 }, (_, n) => hmac(known, placed(campaign, epoch, n, 0)));
  let level = keys.map(leaf);
  while (level.length > 1) level = level.filter((_, n) => n % 2 === 0).map((each, n) => node(each, level[2 * n + 1]));
  return { key: keys[roll], fingerprint: hex(level[0]) };
}

export const withWords = (digests) => digests.reduce((before, each) => sha256(joined(before, each)), new Uint8Array());

const listed = (text) => text.split(" ").filter(Boolean).map(bytes);

function judge(place, holds, words) {
  place.classList.toggle("holds", holds);
  place.classList.toggle("fails", !holds);
  place.textContent = `${holds ? "✓" : "✗"} ${words}`;
}

function check(section, told) {
  const { kind, secret, campaign, epoch, roll, path, words, fingerprint } = section.dataset;
  const place = { campaign: bytes(campaign), epoch: Number(epoch), roll: Number(roll) };
  const found = opened({ kind, secret, ...place, path: listed(path) });
  const isOurs = found.fingerprint === fingerprint;
  const said = listed(words);
  section.querySelector("[data-computed]").textContent = found.fingerprint;
  judge(section.querySelector("[data-fingerprint-verdict]"), isOurs, isOurs ? told.ours : told.foreign);
  let isWhole = isOurs;
  for (const each of section.querySelectorAll("[data-sides]")) {
    const [sides, face, number, after] = ["sides", "face", "number", "after"].map((name) => Number(each.dataset[name]));
    const fell = die(found.key, place.campaign, place.epoch, number, sides, withWords(said.slice(0, after)));
    const holds = fell.face === face && after <= said.length;
    isWhole &&= holds;
    each.querySelector("[data-digest]").textContent = hex(fell.digest);
    each.querySelector("[data-drawn]").textContent = `${fell.drawn} mod ${sides} + 1 = ${fell.face}`;
    judge(each.querySelector("[data-verdict]"), holds, (holds ? told.same : told.other).replace("#", fell.face));
  }
  return isWhole;
}

const page = globalThis.document?.getElementById("proof");
if (page) {
  page.classList.add("checked");
  const whole = [...page.querySelectorAll("[data-secret]")].map((each) => check(each, page.dataset));
  const result = document.getElementById("result");
  judge(result, whole.every(Boolean), whole.every(Boolean) ? page.dataset.sound : page.dataset.unsound);
}
