import operator from '@tiwala/contract/operator.json' with { type: 'json' }

const UNIQID = new RegExp(operator.components.schemas.Uniqid.pattern)

/**
 * Whether the registry can have a citizen with this identifier. Every operation accepts the same identifiers,
 * so each citizen can be found and erased by its path.
 */
export const isUniqid = (text: string): boolean => UNIQID.test(text)
