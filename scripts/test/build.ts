import { ensureGatewayBuild, ensureWebBuild } from '../build-if-needed.ts'

// A warning that nobody has looked at fails the tests.
process.env['STRICT_BUILD'] = '1'
process.exit(ensureWebBuild() && ensureGatewayBuild() ? 0 : 1)
