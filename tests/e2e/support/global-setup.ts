import { ensureGatewayBuild, ensureWebBuild } from '../../../scripts/build-if-needed.ts'
import { offerShared } from './shared-products.ts'

/** The journeys run the built product: whatever is older than its sources is built first. */
export default function setUp(): Promise<() => Promise<void>> {
  if (!ensureGatewayBuild()) throw new Error('The gateway could not be built')
  if (!process.env['WEB_DIR'] && !ensureWebBuild()) throw new Error('The screens could not be built')
  return offerShared()
}
