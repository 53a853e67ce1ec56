import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { AddressRefused, createSafeRequest, type Lookup } from '../../lib/guarded-request.ts'
import { CameraError } from './fault.ts'

/** HTTP request to a camera; resolves with the response headers, for any status including redirects. */
export type CameraRequest = (
  url: URL,
  options: { headers: OutgoingHttpHeaders; signal: AbortSignal },
) => Promise<IncomingMessage>

/**
 * Creates requests that are limited to allowed addresses.
 *
 * errors  CameraError `network` or `unreachable` before a connection is opened; otherwise errors of node:http
 */
export function createRequest(isAllowed: (address: string) => boolean, lookup?: Lookup): CameraRequest {
  const request = createSafeRequest(isAllowed, lookup)
  return async (url, options) => {
    try {
      return await request(url, options)
    } catch (error) {
      if (!(error instanceof AddressRefused)) throw error
      throw error.why === 'network'
        ? new CameraError('network', 'The address is in a network that CAMERA_NETWORKS does not name')
        : new CameraError('unreachable', 'No camera answers at this port')
    }
  }
}
