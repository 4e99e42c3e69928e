"""HTTP/1.1 on asyncio: h11 reads and writes the protocol, `server` moves the bytes."""
