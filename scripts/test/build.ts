import { ensureGatewayBuild, ensureWebBuild } from '../build-if-needed.ts'

// An unknown warning fails the tests.
process.env['STRICT_BUILD'] = '1'
process.exit(ensureWebBuild() && ensureGatewayBuild() ? 0 : 1)
