// How to run the samples. The documentation shows it, and `npm run test:languages` does it.
export type RunCommands = {
  /** What the program needs to run. */
  needs: string
  /** A command that runs once in a new folder, before the file is saved. */
  setup?: string
  file: string
  run: string
}

/** By the `lang` of a sample. A shell needs no file. */
const COMMANDS: Readonly<Record<string, (operationId: string) => RunCommands>> = {
  JavaScript: (id) => ({
    needs: 'Node 20.18 or later',
    setup: 'npm install http://localhost:8080/downloads/tiwala-client.tgz',
    file: `${id}.mjs`,
    run: `node ${id}.mjs`,
  }),
  Python: (id) => ({
    needs: 'Python 3',
    setup: 'python3 -m pip install requests',
    file: `${id}.py`,
    run: `python3 ${id}.py`,
  }),
  PHP: (id) => ({ needs: 'PHP 8 with curl', file: `${id}.php`, run: `php ${id}.php` }),
  Java: (id) => {
    const file = `${classNameOf(id)}.java`
    return { needs: 'Java 11 or later', file, run: `java ${file}` }
  },
  Go: (id) => ({ needs: 'Go', file: `${id}.go`, run: `go run ${id}.go` }),
  'C#': () => ({
    needs: '.NET 8 or later',
    setup: 'dotnet new console',
    file: 'Program.cs',
    run: 'dotnet run',
  }),
}

/** The class of the Java sample. */
export const classNameOf = (operationId: string): string =>
  operationId[0]!.toUpperCase() + operationId.slice(1)

export const runCommandsOf = (lang: string, operationId: string): RunCommands | undefined =>
  COMMANDS[lang]?.(operationId)
