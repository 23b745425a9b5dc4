import { defineConfig } from 'oxlint';

/** What the files of a folder may not import, and why; a later entry takes the place of an earlier one. */
const LAYERS: Record<string, { not: readonly string[]; message: string }> = {
  'src/graphql/**': {
    not: ['~/app/**', '~/routes/**', '~/features/**', '~/session/**'],
    message: 'The lowest layer imports none above: app → routes → features → session → ui, graphql.',
  },
  'src/ui/**': {
    not: ['~/**', '@apollo/**', 'graphql', '**/*.generated'],
    message: 'ui imports no GraphQL and nothing above it.',
  },
  'src/session/**': {
    not: ['~/app/**', '~/routes/**', '~/features/**'],
    message: 'app → routes → features → session → ui, graphql.',
  },
  'src/features/**': {
    not: ['~/app/**', '~/routes/**', '~/features/**'],
    message: 'Features do not import features, routes or app: compose them in a route.',
  },
  'src/features/admin/*/**': {
    not: ['~/app/**', '~/routes/**', '~/features/*/**', '!~/features/admin/*', '~/features/admin/*/**'],
    message: 'A slice of the back office imports what all slices share (~/features/admin/…), and no other feature.',
  },
  'src/features/analytics/*/**': {
    not: [
      '~/app/**',
      '~/routes/**',
      '~/features/*/**',
      '!~/features/analytics/*',
      '~/features/analytics/*/**',
      '!~/features/analytics/charts/*',
    ],
    message:
      'A view of the figures imports what both share (~/features/analytics/… and its charts), and no other feature.',
  },
  'src/routes/**': {
    not: ['~/app/**', '~/routes/**'],
    message: 'Routes import features, session and ui.',
  },
};

const restricted = (...layers: (typeof LAYERS)[string][]): ['error', object] => [
  'error',
  {
    patterns: [
      { group: ['../**'], message: 'Write ~/… for another folder; ./ is for one’s own.' },
      ...layers.map(({ not, message }) => ({ group: [...not], message })),
    ],
    paths: [
      {
        name: 'react-hook-form',
        importNames: ['useForm'],
        message: '~/graphql/use-sent-form sends a form once and places its refusals.',
      },
      {
        name: 'react-router',
        importNames: ['Link', 'NavLink', 'Form', 'useLinkClickHandler', 'useSearchParams'],
        message: '~/ui/link and ~/ui/use-search-params do it, without the framework’s prefetching.',
      },
    ],
  },
];

/** What reads the time zone of the browser, which may be far from the shop's. */
const BROWSER_ZONE = [
  { object: 'Intl', property: 'DateTimeFormat', message: '~/ui/format puts days and moments into words.' },
  ...[
    'toLocaleDateString',
    'toLocaleTimeString',
    'toLocaleString',
    'toDateString',
    'toTimeString',
    'getFullYear',
    'getMonth',
    'getDate',
    'getDay',
    'getHours',
    'getMinutes',
    'getTimezoneOffset',
  ].map((property) => ({ property, message: '~/ui/format writes days and times in a time zone that is named.' })),
];

export default defineConfig({
  plugins: ['typescript', 'react', 'jsx-a11y', 'import', 'unicorn', 'oxc'],
  categories: { correctness: 'error', suspicious: 'error' },
  ignorePatterns: ['dist', '**/*.generated.ts'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-unassigned-import': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    'max-lines-per-function': ['error', { max: 80 }],
    'no-console': ['error', { allow: ['error', 'warn'] }],
    'no-restricted-imports': restricted(),
    'no-restricted-properties': [
      'error',
      ...BROWSER_ZONE,
      { object: 'Intl', property: 'NumberFormat', message: '~/ui/format puts numbers into words.' },
    ],
    'no-shadow': 'off',
    'no-underscore-dangle': ['error', { allow: ['__typename'] }],
    'react/exhaustive-deps': 'error',
    // What a column shows of a row is a function that is called, no component.
    'react/no-unstable-nested-components': ['error', { propNamePattern: '{cell,detail,render*}' }],
    'react/react-in-jsx-scope': 'off',
    'react/rules-of-hooks': 'error',
    'typescript/no-explicit-any': 'error',
  },
  overrides: [
    ...Object.entries(LAYERS).map(([files, layer]) => ({
      files: [files],
      rules: { 'no-restricted-imports': restricted(layer) },
    })),
    { files: ['src/ui/format.ts'], rules: { 'no-restricted-properties': ['error', ...BROWSER_ZONE] } },
    { files: ['codegen/**', '*.config.ts'], rules: { 'no-restricted-imports': 'off' } },
    {
      files: [
        '**/*.test.ts',
        '**/*.test.tsx',
        'src/features/admin/products/picture-board.tsx',
        'src/features/catalog/picture-zoom.tsx',
      ],
      rules: { 'max-lines-per-function': 'off' },
    },
  ],
});
