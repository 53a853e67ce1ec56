import { installNativeShell } from '../native-shell.ts'

/** Runs in the frame of the developer's page before the dashboard: `?native-shell=ios` or `android` selects the simulated system. */
const system = new URLSearchParams(location.search).get('native-shell') === 'android' ? 'android' : 'ios'
history.replaceState(null, '', location.pathname)
installNativeShell({ system })
