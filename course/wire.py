"""A connection to a kernel by ZeroMQ's protocol, with a bound for what comes.

The protocol is ZMTP: https://rfc.zeromq.org/spec/23/
ZeroMQ's own library keeps a message until it is whole, and one of a million
frames is whole late. Here each frame counts as it comes.
"""

import socket
from collections.abc import Iterator

#: What both sides say first: version 3.0, nobody proves who they are.
GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0")
GREETING += bytes(32)
MORE, LONG, COMMAND = 1, 2, 4
#: As many bytes more each frame counts, for it takes memory however short.
OF_EACH = 100
#: How much is read at a time, and for how many seconds a kernel may not speak
#: at its start, or not read.
PIECE = 65_536
PATIENCE = 60


def framed(body: bytes, flags: int = 0) -> bytes:
    """Return a frame: flags, length, body."""
    if len(body) < 256:
        return bytes([flags, len(body)]) + body
    return bytes([flags | LONG]) + len(body).to_bytes(8, "big") + body


class Wire:
    """One of a kernel's sockets, as the other side of it.

    Parameters
    ----------
    address : str
        The path of the UNIX socket.
    kind : bytes
        Which of ZeroMQ's sockets this is: DEALER or SUB.

    Attributes
    ----------
    socket : socket.socket
        The connection; where it can be read, `messages` has something to read.
    heard : int
        How many bytes have come, with what each frame counts.
    """

    def __init__(self, address: str, kind: bytes) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.heard = 0
        self._rest = bytearray()
        self._parts: list[bytes] = []
        self._is_greeted = self._is_ready = False
        try:
            self.socket.settimeout(PATIENCE)
            self.socket.connect(address)
            self._begin(kind)
        except BaseException:
            self.socket.close()
            raise

    def _begin(self, kind: bytes) -> None:
        """Say what this is, and wait until the other side has done so."""
        name = b"\x0bSocket-Type" + len(kind).to_bytes(4, "big") + kind
        ready = framed(b"\x05READY" + name, COMMAND)
        self.socket.sendall(GREETING + ready)
        while not self._is_ready:
            list(self.messages())
        if kind == b"SUB":
            self.send([b"\x01"])  # everything

    def send(self, parts: list[bytes]) -> None:
        """Send a message of these parts."""
        *first, last = parts
        frames = [framed(part, MORE) for part in first]
        self.socket.sendall(b"".join([*frames, framed(last)]))

    def messages(self) -> Iterator[list[bytes]]:
        """Read once, and yield the parts of each message that is whole by then.

        Raises
        ------
        OSError
            If the other side has closed the connection, or speaks another
            version of the protocol.
        """
        piece = self.socket.recv(PIECE)
        if not piece:
            raise ConnectionResetError("the kernel has closed a socket")
        self.heard += len(piece)
        self._rest += piece
        if not self._is_greeted:
            if len(self._rest) < len(GREETING):
                return
            if self._rest[0] != 0xFF or self._rest[10] < 3:
                raise ConnectionAbortedError("this is no ZMTP 3")
            del self._rest[: len(GREETING)]
            self._is_greeted = True
        while (frame := self._frame()) is not None:
            flags, body = frame
            self.heard += OF_EACH
            if flags & COMMAND:
                self._is_ready = True
                continue
            self._parts.append(body)
            if not flags & MORE:
                yield self._parts
                self._parts = []

    def _frame(self) -> tuple[int, bytes] | None:
        """Take the next frame from what has come, if it is whole."""
        head = 9 if self._rest and self._rest[0] & LONG else 2
        if len(self._rest) < head:
            return None
        end = head + int.from_bytes(self._rest[1:head], "big")
        if len(self._rest) < end:
            return None
        flags, body = self._rest[0], bytes(self._rest[head:end])
        del self._rest[:end]
        return flags, body
