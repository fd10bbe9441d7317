import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { logoFile } from '@tiwala/ui/logo'
import express, { Router } from 'express'

const SHEETS = ['tokens', 'elements', 'components', 'consent']

const pathOf = (module: string) => fileURLToPath(import.meta.resolve(module))

/** The style sheet of the pages, and the reader of QR codes, which is the library `qr` as it is. */
export function siteFiles(): Router {
  const css = SHEETS.map((name) => readFileSync(pathOf(`@tiwala/ui/styles/${name}.css`), 'utf8')).join('')
  const router = Router()
  router.use((_req, res, next) => {
    res.set({
      'Content-Security-Policy': "default-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
    })
    next()
  })
  router.get('/site/page.css', (_req, res) => void res.type('css').send(css))
  router.get(['/site/icon.svg', '/favicon.ico'], (_req, res) => void res.type('svg').send(logoFile))
  router.use('/site/qr', express.static(pathOf('qr').replace(/index\.js$/, '')))
  router.use('/site', express.static(fileURLToPath(new URL('./public', import.meta.url))))
  return router
}
