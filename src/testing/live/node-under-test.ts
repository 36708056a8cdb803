/** A node that `startNode()` started, or one with the same members. */
export interface NodeUnderTest {
  readonly endpoints: {
    readonly ethWs: string;
    readonly ethHttp: string;
    readonly cometWs: string;
    readonly comet: string;
  };
  stop(): Promise<void>;
}
