import { ensureGatewayBuild, ensureWebBuild } from '../../../scripts/build-if-needed.ts'
import { keepTemporaryFilesInMemory } from '../../support/temporary-files.ts'
import { offerShared } from './shared-products.ts'

/** The journeys run the built product: outdated builds are rebuilt first. */
export default async function setUp(): Promise<() => Promise<void>> {
  if (!ensureGatewayBuild()) throw new Error('The gateway could not be built')
  if (!process.env['WEB_DIR'] && !ensureWebBuild()) throw new Error('The screens could not be built')
  const deleteFiles = keepTemporaryFilesInMemory()
  const end = await offerShared()
  return async () => {
    await end()
    deleteFiles()
  }
}
