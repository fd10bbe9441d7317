import type { ComponentProps } from 'preact'

/**
 * A button. `isOff`: it does nothing now, and keeps the keyboard focus, which the browser takes from a button
 * that becomes disabled.
 */
export function Button({
  isOff = false,
  onClick,
  class: className = '',
  ...rest
}: ComponentProps<'button'> & { isOff?: boolean; class?: string }) {
  return (
    <button
      type="button"
      class={`button ${className}`}
      {...rest}
      aria-disabled={isOff}
      onClick={(event) => (isOff ? event.preventDefault() : onClick?.(event))}
    />
  )
}
