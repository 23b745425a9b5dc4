import { type Example, subjects } from './examples';
import { useChooseExample } from './use-choose-example';
import { useWorkbench } from './workbench';

function Item({ example }: { example: Example }) {
  const { chosen } = useWorkbench();
  const choose = useChooseExample();
  return (
    <li>
      <button type="button" aria-current={chosen?.example === example} onClick={() => void choose(example)}>
        {example.title}
      </button>
    </li>
  );
}

function ExamplesMenu() {
  return (
    <nav aria-label="Examples" className="examples">
      {subjects.map(([subject, examples]) => (
        <section key={subject} aria-labelledby={`examples-${subject.replaceAll(' ', '-')}`}>
          <h2 id={`examples-${subject.replaceAll(' ', '-')}`}>{subject}</h2>
          <ul>
            {examples.map((example) => (
              <Item key={example.name} example={example} />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

function ListIcon() {
  return (
    <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth={1.5} aria-hidden="true">
      <path d="M3 4.5h.01M7 4.5h10M3 10h.01M7 10h10M3 15.5h.01M7 15.5h10" strokeLinecap="round" />
    </svg>
  );
}

/** The menu of examples, in GraphiQL's side panel. */
export const EXAMPLES = { title: 'Examples', icon: ListIcon, content: ExamplesMenu };
