import { ensureGatewayBuild, ensureWebBuild } from '../build-if-needed.ts'

process.exit(ensureWebBuild() && ensureGatewayBuild() ? 0 : 1)
