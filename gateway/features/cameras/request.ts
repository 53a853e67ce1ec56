import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { AddressRefused, createSafeRequest, type Lookup } from '../../lib/guarded-request.ts'
import { CameraError } from './fault.ts'

/** A request to a camera: its answer, whatever its status, once the head has come; redirects are answers like others. */
export type CameraRequest = (
  url: URL,
  options: { headers: OutgoingHttpHeaders; signal: AbortSignal },
) => Promise<IncomingMessage>

/**
 * Requests to cameras at allowed addresses alone.
 *
 * errors  CameraError `network` or `unreachable` before anything is connected; else what node:http tells
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
