import { type ClientRateLimitInfo, MemoryStore } from 'express-rate-limit'

/**
 * The counts of a rate limit. The end of a window is a time of the clock. After the clock is set back by an
 * hour, a window would last an hour longer, so it ends at once.
 */
export class WindowStore extends MemoryStore {
  override async increment(key: string): Promise<ClientRateLimitInfo> {
    const info = await this.get(key)
    if (info && info.resetTime!.getTime() > Date.now() + this.windowMs) await this.resetKey(key)
    return super.increment(key)
  }
}
