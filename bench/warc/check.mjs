// Reads an archive with warcio from npm, and compares lengths and digests:
//   node check.mjs FILE
import { createReadStream } from "node:fs";
import { createHash } from "node:crypto";
import { WARCParser } from "warcio";

const base32 = (b) => {
	let bits = "", out = "";
	for (const x of b) bits += x.toString(2).padStart(8, "0");
	for (let i = 0; i < bits.length; i += 5) out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(bits.slice(i, i + 5).padEnd(5, "0"), 2)];
	return out;
};
const kinds = {};
let bad = 0;
for await (const record of new WARCParser(createReadStream(process.argv[2]))) {
	const kind = record.warcType;
	kinds[kind] = (kinds[kind] ?? 0) + 1;
	const headers = record.httpHeaders?.headers;
	const payload = await record.readFully(false);
	const want = record.warcHeader("WARC-Payload-Digest");
	const got = "sha256:" + base32(createHash("sha256").update(payload).digest());
	const names = headers ? [...headers.keys()].map((n) => n.toLowerCase()) : [];
	const secret = names.find((n) => ["authorization", "cookie", "set-cookie"].includes(n));
	if (!record.warcHeader("WARC-Record-ID") || !record.warcDate || (want && want !== got) || (kind === "response" && !(record.httpHeaders?.statusCode > 0)) || secret) {
		console.error("bad record", kind, record.warcTargetURI, want, got, secret ?? "");
		bad++;
	}
}
console.log(Object.entries(kinds).map(([k, n]) => `${k} ${n}`).join(", "), bad ? `; ${bad} bad` : "; all digests and headers are right");
process.exit(bad || !kinds.response ? 1 : 0);
