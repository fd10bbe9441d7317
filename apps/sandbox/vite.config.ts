import { pageAt } from '@tiwala/ui/vite-config'
import { defineConfig } from 'vite'

export default defineConfig(pageAt('/sandbox/'))
