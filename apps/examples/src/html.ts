/** Text that is HTML already. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template whose values are escaped, except parts that are HTML already. */
export const html = (parts: TemplateStringsArray, ...values: (string | Html)[]): Html =>
  new Html(String.raw(parts, ...values.map((value) => (value instanceof Html ? value.text : escape(value)))))

/** A picture that a library made. */
export const svg = (text: string) => new Html(text)

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)

/** A whole page. `refreshSeconds`: the browser loads it again after this time. */
export function page(title: string, content: Html, refreshSeconds?: number): string {
  const refresh = refreshSeconds
    ? html`<meta http-equiv="refresh" content="${String(refreshSeconds)}" />`
    : ''
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${refresh}
        <style>
          :root {
            color-scheme: light dark;
            font:
              1.125rem / 1.6 system-ui,
              sans-serif;
          }
          main {
            max-width: 32rem;
            margin: 3rem auto;
            padding: 0 1.5rem;
          }
          input,
          button {
            font: inherit;
            padding: 0.5rem 0.75rem;
          }
          h1 {
            font-size: 1.75rem;
            line-height: 1.2;
          }
          svg {
            display: block;
            width: min(100%, 14rem);
          }
          form + form {
            margin-top: 0.75rem;
          }
          input {
            box-sizing: border-box;
            width: 100%;
            margin-bottom: 0.75rem;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.text
}
