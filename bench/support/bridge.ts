/** The bridge hub in a child process. */
import { startBridge } from '../../hubs/home-assistant/bridge.ts'
import { allSources } from '../../hubs/home-assistant/options.ts'
import { serveParent } from './child.ts'

const [broker = '', gateway = ''] = process.argv.slice(2)
const silent = () => {}
const bridge = startBridge({
  broker: { url: broker },
  gateway: { url: gateway, Secret: 'secret' },
  rootId: 'root',
  HomeID: 'home',
  ThingName: 'bridge',
  sources: allSources({}),
  log: { info: silent, warn: silent, error: silent },
})
serveParent({}, () => bridge.stats())
