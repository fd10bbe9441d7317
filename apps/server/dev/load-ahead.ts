// The next server process loads its modules before a save, so that it is ready sooner after the save. A file
// that changes after it was loaded would be missed. So this process reads the files that are generated from
// the spec only when it is needed. When another file changes, another process takes its place
// (`renewSpare`).
import { readFileSync } from 'node:fs'
import { type LoadHookContext, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

const GENERATED = /\/packages\/contract\/src\/generated\/[^/?]+$/

export const { promise: needed, resolve: readGenerated } = Promise.withResolvers<void>()

/** Replaces a generated file by a module with the same exports that waits until the process is needed. */
function waiting(url: string, { importAttributes }: LoadHookContext): string {
  const exported = readFileSync(fileURLToPath(url), 'utf8').matchAll(/^export const (\w+)/gm)
  const [own, file, attributes] = [import.meta.url, `${url}?needed`, importAttributes].map((part) =>
    JSON.stringify(part),
  )
  return `
    import { needed } from ${own}
    await needed
    const file = await import(${file}, { with: ${attributes} })
    export default file.default
    export const { ${[...exported].map(([, name]) => name).join()} } = file`
}

registerHooks({
  load: (url, context, next) =>
    GENERATED.test(url)
      ? { format: 'module', source: waiting(url, context), shortCircuit: true }
      : next(url, context),
})
