/** Prints a text of `npm run dev`. */
export function print(text: string): void {
  console.log(text.replaceAll(/^/gm, 'dev: '))
}
