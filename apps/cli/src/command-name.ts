/** `rotateWebhookSecret` becomes `webhook-secret rotate`, `listDeliveries` becomes `delivery list`. */
export function nameOf(id: string): string {
  const [verb, ...noun] = id.split(/(?=[A-Z])/).map((word) => word.toLowerCase())
  const singular = noun.join('-').replace(/ies$/, 'y').replace(/s$/, '')
  return `${singular} ${verb === 'read' ? 'show' : verb}`
}
