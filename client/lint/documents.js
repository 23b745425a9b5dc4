/** Whether each area of src/ (or of the folder given) owns only the kinds of GraphQL definitions that are its own. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { Kind, parse } from 'graphql';

const OWNED = {
  routes: ['query'],
  features: ['query', 'mutation', 'subscription', 'fragment'],
  session: ['query', 'fragment'],
  graphql: ['fragment'],
};

const [, , folder = 'src'] = argv;
const kindOf = (definition) => (definition.kind === Kind.FRAGMENT_DEFINITION ? 'fragment' : definition.operation);

const misplaced = globSync('**/*.graphql', { cwd: folder }).flatMap((path) => {
  const [area] = path.split('/');
  return parse(readFileSync(join(folder, path), 'utf8'))
    .definitions.filter((definition) => !(OWNED[area] ?? []).includes(kindOf(definition)))
    .map((definition) => `${path}: ${area} owns no ${kindOf(definition)}, but has ${definition.name?.value}.`);
});

for (const line of misplaced) console.error(line);
if (misplaced.length > 0) exit(1);
