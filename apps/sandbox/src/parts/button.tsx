import type { ComponentProps } from 'preact'

/**
 * A button. `isOff`: it does nothing now, and keeps the keyboard focus, which the browser takes from a button
 * that becomes disabled.
 */
export function Button({ isOff = false, onClick, ...rest }: ComponentProps<'button'> & { isOff?: boolean }) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isOff}
      onClick={(event) => (isOff ? event.preventDefault() : onClick?.(event))}
    />
  )
}
