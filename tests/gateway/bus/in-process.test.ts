import { createNetwork } from '../../../gateway/bus/in-process.ts'
import { behavesAsABus } from './same-bus.ts'

behavesAsABus(async () => {
  const network = createNetwork()
  return { join: async () => network.join(), stop: async () => {} }
})
