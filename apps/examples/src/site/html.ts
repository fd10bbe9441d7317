import { icon } from '@tiwala/ui/icons'

/** Text that is HTML already. */
export class Html {
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

const escape = (text: string) => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)

/**
 * `look`: the class of its colors in `site.css`. `promise`: what stands beside each page. `note`: what the sandbox adds,
 * so that a newcomer finds the phone.
 */
export type Site = {
  name: string
  look: 'hotel' | 'bank' | 'clinic' | 'phone'
  icon: Parameters<typeof icon>[0]
  promise?: string
  note?: Html | undefined
}

/** A whole page of a site. `refreshSeconds`: the browser loads it again after this time. */
export const pagesOf =
  (site: Site) =>
  (title: string, content: Html, refreshSeconds?: number): string =>
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${`${title} - ${site.name}`}</title>
          <link rel="icon" href="/site/icon.svg" />
          <link rel="stylesheet" href="/site/page.css" />
          <link rel="stylesheet" href="/site/site.css" />
          ${refreshSeconds ? html`<meta http-equiv="refresh" content="${String(refreshSeconds)}" />` : ''}
        </head>
        <body class="${site.look}">
          <header class="masthead">
            <div>
              <a class="logo" href="/">${new Html(icon(site.icon))}${site.name}</a>
            </div>
          </header>
          <main class="column">
            <div class="stage">
              <section>
                <h1>${title}</h1>
                ${content} ${site.note ? html`<p class="notice info">${site.note}</p>` : ''}
              </section>
              ${
                site.promise
                  ? html`<div class="promise">
                      ${new Html(icon(site.icon))}
                      <p>${site.promise}</p>
                    </div>`
                  : ''
              }
            </div>
          </main>
        </body>
      </html>`.text
