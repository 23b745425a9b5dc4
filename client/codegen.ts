import type { CodegenConfig } from '@graphql-codegen/cli';

const scalars = {
  ID: 'string',
  Money: 'string',
  DateTime: 'string',
  Date: 'string',
  URL: 'string',
  Decimal: 'string',
  Size: 'string',
};

const config: CodegenConfig = {
  schema: '../schema.graphql',
  documents: ['src/**/*.graphql'],
  ignoreNoDocuments: true,
  config: { scalars, strictScalars: true, useTypeImports: true },
  generates: {
    'src/graphql/schema.generated.ts': {
      plugins: ['typescript-operations'],
      config: { generateOperationTypes: false },
    },
    'src/graphql/possible-types.generated.ts': {
      plugins: ['./codegen/interfaces.js'],
    },
    'src/': {
      preset: 'near-operation-file',
      presetConfig: { extension: '.generated.ts', baseTypesPath: 'graphql/schema.generated.ts' },
      plugins: ['typescript-operations', 'typed-document-node', './codegen/hooks.js'],
      config: {
        importSchemaTypesFrom: 'src/graphql/schema.generated.ts',
        documentMode: 'documentNodeImportFragments',
        dedupeFragments: true,
      },
    },
  },
};

export default config;
