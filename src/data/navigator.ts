type Go = (to: string, options?: { replace?: boolean }) => void

let go: Go = (to, options) => {
  if (options?.replace) history.replaceState(null, '', to)
  else history.pushState(null, '', to)
}

/** The router hands in how to go somewhere without reloading; before it is there, only the address changes. */
export const navigateWith = (navigate: Go): void => {
  go = navigate
}

/** Goes to an address from outside of components: events, forced sign-out, the native application. */
export const goTo: Go = (to, options) => go(to, options)
