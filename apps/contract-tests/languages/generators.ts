// Generators of clients that have no recipe on the page. Each must generate code that compiles. PHP and C#
// have a recipe, but few machines have their tools, so this check generates them too.
import { run } from './shell.ts'

const OPENAPI_GENERATOR = 'java -jar openapi-generator.jar generate -i partner-3.0.json'
const TSC =
  'npx tsc --noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler ' +
  '--lib es2022,dom,dom.iterable'
const NPM_PACKAGES = 'orval@8.38.0 @hey-api/openapi-ts@0.99.0 typescript@5.9.3 axios@1.13.2'

/** In the folder of the recipes, which has the document and the openapi-generator. */
const COMMANDS: readonly [name: string, commands: string][] = [
  ...['php', 'csharp'].map((name): [string, string] => [
    `openapi-generator ${name}, only generated`,
    `${OPENAPI_GENERATOR} -g ${name} -o generators/${name}`,
  ]),
  [
    'TypeScript packages',
    `mkdir -p generators && cd generators && echo '{"private":true,"type":"module"}' > package.json
    npm install --no-audit --no-fund --ignore-scripts --silent ${NPM_PACKAGES}`,
  ],
  ...['typescript-axios', 'typescript-fetch'].map((name): [string, string] => [
    `openapi-generator ${name}`,
    `${OPENAPI_GENERATOR} -g ${name} -o generators/${name} && cd generators && ${TSC} ${name}/index.ts`,
  ]),
  [
    'orval',
    `cd generators && npx orval --input ../partner-3.0.json --output orval/tiwala.ts
    ${TSC} orval/tiwala.ts`,
  ],
  [
    '@hey-api/openapi-ts',
    `cd generators && npx openapi-ts -i ../partner-3.0.json -o hey-api && ${TSC} hey-api/index.ts`,
  ],
  [
    'oapi-codegen',
    `mkdir -p generators/go && cd generators/go && go mod init example.com/tiwala
    go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 \\
      -generate types,client,skip-prune -package tiwala -o tiwala.go ../../partner-3.0.json
    go mod tidy
    go build .`,
  ],
  [
    'openapi-python-client',
    `python3 -m venv generators/venv
    generators/venv/bin/pip install --quiet openapi-python-client==0.29.1
    PATH="$PWD/generators/venv/bin:$PATH" openapi-python-client generate \\
      --path partner-3.0.json --output-path generators/python --fail-on-warning
    python3 -m compileall -q generators/python
    generators/venv/bin/pip install --quiet ./generators/python
    generators/venv/bin/python -c 'import tiwala_partner_api_client.models'`,
  ],
]

/** Returns the output of all generators. */
export async function runGenerators(folder: string): Promise<string> {
  let output = ''
  for (const [name, commands] of COMMANDS) {
    console.log(`  ${name}`)
    output += await run(commands, folder)
  }
  return output
}
