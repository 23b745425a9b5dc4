// Reads {address: html} from standard input and prints {address: [problem]}. The parser is parse5, which follows the
// HTML standard; it is not the one that the client renders with.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { text } from 'node:stream/consumers';

const jsdom = createRequire(pathToFileURL(process.argv[2])).resolve('jsdom');
const { parse } = await import(pathToFileURL(createRequire(jsdom).resolve('parse5')).href);

const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
const INTERACTIVE = new Set(['a', 'button', 'details', 'iframe', 'label', 'select', 'textarea']);
const MAIN_PARENTS = new Set(['html', 'body', 'div', 'form']);
const METADATA_PARENTS = new Set(['head', 'noscript']);

function problemsOf(html) {
  const problems = [];
  const report = (what, element) => problems.push(`${what}: ${describe(element)}`);
  const tree = parse(html, {
    scriptingEnabled: false,
    sourceCodeLocationInfo: true,
    onParseError: ({ code, startLine, startCol }) => problems.push(`${code} at ${startLine}:${startCol}`),
  });
  const ids = new Set();

  const visit = (element, parents) => {
    const { tagName: name, sourceCodeLocation: location } = element;
    const attributes = Object.fromEntries(element.attrs.map((each) => [each.name, each.value]));
    const above = new Set(parents);
    const isDrawing = name === 'svg' || above.has('svg');
    if (!location?.startTag && location?.startOffset === undefined) report('implied', element);
    else if (!VOID.has(name) && !location.endTag && !isDrawing)
      report('closed by another element', element);
    if (name === 'meta' && !METADATA_PARENTS.has(parents.at(-1))) report('meta outside of head', element);
    if (name === 'title' && parents.at(-1) !== 'head' && !above.has('svg')) report('title outside of head', element);
    if (name === 'main' && parents.some((each) => !MAIN_PARENTS.has(each))) report('main inside of another', element);
    if (INTERACTIVE.has(name) && (above.has('a') || above.has('button'))) report('control inside a control', element);
    if (attributes.id !== undefined && ids.has(attributes.id)) report('id twice', element);
    ids.add(attributes.id);
    for (const child of element.childNodes) if (child.tagName) visit(child, [...parents, name]);
  };
  visit(
    tree.childNodes.find(({ tagName }) => tagName),
    [],
  );
  return problems;
}

const describe = ({ tagName, attrs }) =>
  `<${[tagName, ...attrs.map(({ name, value }) => `${name}="${value.slice(0, 40)}"`)].join(' ')}>`;

const pages = JSON.parse(await text(process.stdin));
console.log(JSON.stringify(Object.fromEntries(Object.entries(pages).map(([address, html]) => [address, problemsOf(html)]))));
