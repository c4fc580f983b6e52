package browser

// A Layout has the measurements of a page.
type Layout struct {
	ScrollWidth, Width int
	Small              []string // texts that are smaller than 11 pixels
	Overlaps           []string // pairs of texts that lie on one another
	Outside            []string // texts that stick out of the page
	Texts              int      // how many were looked at
}

// measure looks at every text that shows: its size, with the scale of the picture that it is in,
// and the boxes of its lines.
const measure = `(() => {
const r = {ScrollWidth: document.documentElement.scrollWidth, Width: innerWidth, Small: [], Overlaps: [], Outside: [], Texts: 0};
const boxes = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let n; n = walk.nextNode();) {
	const text = n.data.trim(), e = n.parentElement;
	if (!text || !e.checkVisibility({contentVisibilityAuto: true, visibilityProperty: true}) || e.closest('title,desc,style')) continue;
	const range = document.createRange();
	range.selectNodeContents(n);
	const rects = [...range.getClientRects()].filter(b => b.width > 0 && b.height > 0);
	if (!rects.length) continue;
	r.Texts++;
	let size = parseFloat(getComputedStyle(e).fontSize);
	const svg = e.ownerSVGElement;
	if (svg) size *= svg.getScreenCTM().a;
	if (size < 10.99) r.Small.push(size + ' ' + text);
	for (const b of rects) {
		// The line is taller than its letters.
		const shrink = svg ? 0.18 * b.height : 0.12 * b.height;
		const upright = svg && e.getAttribute('transform');
		const box = upright
			? {l: b.left + 0.18 * b.width, r: b.right - 0.18 * b.width, t: b.top + 1, b: b.bottom - 1, text}
			: {l: b.left + 1, r: b.right - 1, t: b.top + shrink, b: b.bottom - shrink, text};
		if (b.left < -0.5 || b.right > innerWidth + 0.5) r.Outside.push(text);
		boxes.push(box);
	}
}
boxes.sort((x, y) => x.t - y.t);
for (let i = 0; i < boxes.length; i++) {
	for (let j = i + 1; j < boxes.length && boxes[j].t < boxes[i].b; j++) {
		const x = boxes[i], y = boxes[j];
		if (x.l < y.r && y.l < x.r && r.Overlaps.length < 20) r.Overlaps.push(x.text + ' | ' + y.text);
	}
}
return r;
})()`

// Measure measures the page that is open.
func (b *Browser) Measure() (*Layout, error) {
	l := new(Layout)
	return l, b.Evaluate(measure, l)
}
