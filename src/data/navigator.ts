type Go = (to: string, options?: { replace?: boolean }) => void

let go: Go = (to, options) => {
  if (options?.replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
}

/** Sets the router's navigation function; before that, `goTo` only changes the address. */
export const navigateWith = (navigate: Go): void => {
  go = navigate
}

/** Navigates to an address from outside of components: events, forced sign-out, the native application. */
export const goTo: Go = (to, options) => go(to, options)
